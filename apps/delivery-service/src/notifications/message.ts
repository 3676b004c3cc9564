import type { JsonObject } from '@weir/contracts';
import type { Notification } from './notification.repository.js';
import { resourceTypeOf, sentenceOf } from './trouble.js';

const TEST = 'This is a test. Messages of Weir reach this channel.';

/** The sentence of a message. */
export const textOf = ({ what, trouble }: Notification): string =>
  trouble ? sentenceOf(trouble, what === 'resolved') : TEST;

/** The title of a mail, without anything that a stranger could choose. */
export function titleOf({ what, trouble }: Notification): string {
  if (!trouble) return '[Weir] Test';
  return `[Weir] ${what === 'resolved' ? 'Resolved' : 'Trouble'}: ${trouble.kind.replaceAll('_', ' ')}`;
}

/** The body for a webhook, the same on each attempt. */
export function bodyOf(notification: Notification): JsonObject {
  const { what, workspaceId, createdAt, trouble } = notification;
  const message = { timestamp: createdAt.toISOString(), workspaceId, text: textOf(notification) };
  if (!trouble) return { type: 'test', ...message };
  const { id, kind, resourceId, name, count, percent, openedAt, resolvedAt } = trouble;
  return {
    type: `trouble.${what}`,
    ...message,
    trouble: {
      ...{ id, kind, resource: { type: resourceTypeOf(kind), id: resourceId, ...(name !== null && { name }) } },
      ...(count !== null && { count }),
      ...(percent !== null && { percent }),
      openedAt: openedAt.toISOString(),
      ...(what === 'resolved' && resolvedAt && { resolvedAt: resolvedAt.toISOString() }),
    },
  };
}

/** Slack reads `&`, `<` and `>` as the beginning of links and mentions. */
export const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
