import { type Answer, type Api, api, trackEvent } from '@weir/testing';
import { now } from './recorder.js';

type Stack = Parameters<typeof api>[0];

/** A workspace with a source, a webhook, and code between them. */
export interface Scene {
  name: string;
  /** With the role `admin`. */
  client: Api;
  /** The operator, who reads statistics. */
  operator: Api;
  intake: Api;
  source: { id: string; writeKey: string };
  destinationId: string;
  transformationId: string;
  /** The code with version 1. */
  first: { revision: string; askedAt: number; answeredAt: number };
}

/** Code that does with an event what its sender wishes, and stamps it with its version. */
export const codeOf = (version: number): string => `export function transformEvent(event) {
  const wish = event.properties?.wish;
  if (wish === 'drop') return null;
  if (wish === 'fail') throw new Error('as wished');
  return { ...event, version: ${version} };
}`;

const VERSION = /version: (\d+)/;
export const versionIn = (code: string): number => Number(code.match(VERSION)?.[1] ?? 0);

export interface Wanted {
  name: string;
  /** Partitions over which its source is spread. */
  partitions: number;
  /** Gateways of the calls and of the events, which may be different ones. */
  gateways: { calls: number; events: number };
}

/** A busy machine may not answer in time. */
const ATTEMPTS = 5;

/**
 * Makes a workspace. Its code is live before its source is connected. After a call without an answer it begins anew, and what it has made
 * stays unused.
 */
export async function newScene(stack: Stack, sinkUrl: string, wanted: Wanted, attempt = 1): Promise<Scene> {
  try {
    return await makeScene(stack, sinkUrl, wanted);
  } catch (error) {
    if (attempt === ATTEMPTS) throw error;
    return newScene(stack, sinkUrl, wanted, attempt + 1);
  }
}

async function makeScene(stack: Stack, sinkUrl: string, { name, partitions, gateways }: Wanted): Promise<Scene> {
  const operator = api(stack, 'admin', gateways.calls);
  const { workspace } = bodyOf(await operator.post('/admin/workspaces', { name }));
  const token = { workspaceId: workspace.id, email: 'chaos@example.com', name, role: 'admin' };
  const { accessToken } = bodyOf(await operator.post('/admin/access-tokens', token));
  const client = api(stack, { token: accessToken.token }, gateways.calls);
  const post = async (path: string, body: object) => bodyOf(await client.post(path, body));
  const { source } = await post('/v2/sources', { name, type: 'HTTP', enabled: true, partitions });
  const config = { webhookUrl: `${sinkUrl}/in/${name}`, deletionUrl: `${sinkUrl}/forget/${name}` };
  const { destination } = await post('/v2/destinations', { name, type: 'WEBHOOK', enabled: true, config });
  const code = { name, code: codeOf(1), destinationIds: [destination.id] };
  const askedAt = now();
  const { id: transformationId, versionId: revision } = await post('/transformations?publish=true', code);
  const first = { revision, askedAt, answeredAt: now() };
  await post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  const ids = { destinationId: destination.id, transformationId, first };
  const intake = api(stack, { writeKey: source.writeKey }, gateways.events);
  return { name, client, operator, intake, source, ...ids };
}

function bodyOf({ status, text, body }: Answer) {
  if (status >= 300) throw new Error(`the workspace could not be made: ${status} ${text}`);
  return body;
}

/** Statistics count events by name, so each user has one. */
export const eventNameOf = (user: string): string => `By ${user}`;

export const eventOf = (user: string, wish: string): Record<string, unknown> =>
  trackEvent({
    ...{ userId: user, event: eventNameOf(user), properties: { wish } },
    ...(wish === 'filter' && { integrations: { All: false } }),
  });
