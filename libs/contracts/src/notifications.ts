import { z } from 'zod';
import { defineCall } from './call.js';
import { Ksuid, Timestamp } from './ids.js';
import { by } from './regulation/audit.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const AT = '2026-01-01T00:00:00.000Z';

/** The troubles that a workspace can hear of. The first five last until they resolve, the others happen at a moment. */
export const TROUBLES = [
  'destination_failing',
  'dead_letters',
  'breaker_open',
  'deletion_overdue',
  'source_silent',
  'rollback',
  'new_events',
  'schema_drift',
] as const;
export const TroubleKind = z.enum(TROUBLES);
export type TroubleKind = z.output<typeof TroubleKind>;

export const ChannelType = z.enum(['webhook', 'slack', 'email']);
export type ChannelType = z.output<typeof ChannelType>;

/** Channels of a workspace. More would tell the same people the same thing. */
export const CHANNELS_MAX = 10;
/** Sealed settings of one channel in characters: an address with its secret, or a few mail addresses. */
const SEALED_MAX = 8_192;

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00');

/** Messages wait from `from` until `to`, on the clock of the time zone. */
export const QuietHours = z
  .object({
    from: TimeOfDay,
    to: TimeOfDay,
    timeZone: Text.max(64)
      .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
      .meta({ description: 'Name of the IANA database' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from `from`' });
export type QuietHours = z.output<typeof QuietHours>;

/** The settings of a channel, without its address. */
export const ChannelChoices = z.object({
  name: Text.min(1).max(256),
  enabled: z.boolean(),
  kinds: z.array(TroubleKind).min(1).max(TROUBLES.length),
  /** Share of failed attempts from which a destination counts as failing. */
  failingPercent: z.int().min(1).max(100),
  quietHours: QuietHours.nullable(),
});

/** The fate of the messages of a channel. */
export const ChannelHealth = z.object({
  waiting: z.int().meta({ description: 'Messages that are not sent yet' }),
  lastSentAt: Timestamp.optional(),
  lastError: z.string().optional().meta({ description: 'Why the last attempt failed. Missing if it succeeded' }),
});

/** A channel as it is stored. Only a holder of the encryption key can open its settings. */
export const StoredChannel = ChannelChoices.extend({
  id: Ksuid,
  type: ChannelType,
  sealedSettings: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  health: ChannelHealth,
});
export type StoredChannel = z.output<typeof StoredChannel>;

const choices = {
  ...{ name: 'On call', enabled: true, kinds: ['breaker_open' as const], failingPercent: 50 },
  quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
};
const example = {
  ...{ ...choices, id: ID, type: 'webhook' as const, sealedSettings: 'v1.abcd.efgh', createdAt: AT, updatedAt: AT },
  health: { waiting: 0 },
};

/** Creates or replaces a channel. `conflict` when the workspace has reached its limit. The type of a channel never changes. */
export const PutChannel = defineCall({
  subject: 'delivery.channel.put.v1',
  request: ChannelChoices.extend({
    workspaceId: Ksuid,
    id: Ksuid,
    type: ChannelType,
    sealedSettings: Text.max(SEALED_MAX),
    /** False: `not_found` unless the channel is there. */
    isNew: z.boolean(),
    ...by,
  }),
  reply: StoredChannel,
  deadlineMs: 5_000,
  example: {
    request: {
      ...{ ...choices, workspaceId: WORKSPACE, id: ID, type: 'webhook', sealedSettings: 'v1.abcd.efgh', isNew: true },
      by: 'ada@example.com',
    },
    reply: example,
  },
});

/** Lists all channels of a workspace in the order of their creation. */
export const ListChannels = defineCall({
  subject: 'delivery.channel.list.v1',
  request: z.object({ workspaceId: Ksuid }),
  reply: z.object({ channels: z.array(StoredChannel).max(CHANNELS_MAX) }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { channels: [example] } },
});

/** Replaces sealed settings by the same content under another key, unless they have changed since. */
export const ResealChannel = defineCall({
  subject: 'delivery.channel.reseal.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid, from: Text.max(SEALED_MAX), to: Text.max(SEALED_MAX) }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID, from: 'v1.abcd.efgh', to: 'v1.ijkl.mnop' }, reply: {} },
});

/** Deletes a channel with its waiting messages. */
export const DeleteChannel = defineCall({
  subject: 'delivery.channel.delete.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid, ...by }),
  reply: z.object({}),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID }, reply: {} },
});

/** Queues a message that tests a channel. `conflict` while another test is on its way. */
export const TestChannel = defineCall({
  subject: 'delivery.channel.test.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid }),
  reply: z.object({ messageId: z.string() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE, id: ID }, reply: { messageId: 'msg_1' } },
});

/** Something that is wrong, or that was until some days ago. */
export const Trouble = z
  .object({
    id: z.string(),
    kind: TroubleKind,
    resourceId: z.string().meta({ description: 'The destination, source or transformation that it is about' }),
    count: z.int().optional().meta({ description: 'How many events, notices or tasks' }),
    percent: z.int().optional().meta({ description: 'Failed attempts of a failing destination, in percent' }),
    openedAt: Timestamp,
    lastAt: Timestamp.meta({ description: 'When it was last seen' }),
    resolvedAt: Timestamp.optional(),
  })
  .meta({ id: 'Trouble' });
export type Trouble = z.output<typeof Trouble>;

/** Troubles that an answer lists. */
export const TROUBLES_SHOWN_MAX = 100;

/** Lists troubles of a workspace with a channel, newest first: open ones, and those of the last days. */
export const ListTroubles = defineCall({
  subject: 'delivery.trouble.list.v1',
  request: z.object({ workspaceId: Ksuid }),
  reply: z.object({ troubles: z.array(Trouble).max(TROUBLES_SHOWN_MAX) }),
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE },
    reply: { troubles: [{ id: '1', kind: 'breaker_open', resourceId: ID, openedAt: AT, lastAt: AT }] },
  },
});

/** The part that the gateway seals and deliverers open: everything that says where messages go. */
export interface ChannelSettings {
  url?: string | undefined;
  /** Key of the signature, for a webhook. */
  secret?: string | undefined;
  to?: string[] | undefined;
}

/** Binds the settings of a channel to their place. They open nowhere else. */
export const channelAad = (workspaceId: string, id: string) => `channel/${workspaceId}/${id}`;
