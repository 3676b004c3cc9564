import { z } from 'zod';
import { defineCall } from './call.js';
import { isJsonObject, JsonObject, Ksuid, Uuid } from './ids.js';
import { Text } from './text.js';

const EVENT = '6b8f0f66-5a42-4d8e-9d6b-0d6b5c1f9a10';
const AT = '2026-01-01T00:00:00.123456Z';

/** A map whose keys customers choose. `z.record` would drop a key named `__proto__`. */
function mapOf<Value>() {
  return z.custom<Record<string, Value>>(isJsonObject, 'must be an object');
}

/** Maps a dotted key path to a type name (`string`, `float64`, `bool`). Conflicting types are comma-joined. */
const Schema = mapOf<string>();

/** Field names as the specification spells them (2.6), because they are on the wire. */
export const EventModel = z.object({
  ID: z.number().int(),
  EventID: Uuid,
  WriteKey: z.string(),
  EventType: z.string(),
  EventIdentifier: z.string(),
  CreatedAt: z.string(),
  Schema,
  LastSeen: z.string(),
  TotalCount: z.number().int(),
});
export type EventModel = z.output<typeof EventModel>;

export const EventVersion = z.object({
  ID: z.number().int(),
  VersionID: Uuid,
  EventModelID: Uuid,
  Schema,
  FirstSeen: z.string(),
  LastSeen: z.string(),
  TotalCount: z.number().int(),
});
export type EventVersion = z.output<typeof EventVersion>;

export const EventMetadata = z.object({
  SampledEvents: z.array(JsonObject),
  TotalCount: z.number().int(),
  FrequentValues: mapOf<{ Value: string; Frequency: number }[]>(),
});
export type EventMetadata = z.output<typeof EventMetadata>;

const exampleModel = {
  ID: 1,
  EventID: EVENT,
  WriteKey: 'wk',
  EventType: 'track',
  EventIdentifier: 'Bought',
  CreatedAt: AT,
  Schema: { type: 'string' },
  LastSeen: AT,
  TotalCount: 5,
};
const exampleMetadata = { SampledEvents: [{ type: 'track' }], TotalCount: 5, FrequentValues: {} };

/** Models or versions per page. */
export const SCHEMA_PAGE_ROWS_MAX = 200;
const Limit = z.number().int().min(1).max(SCHEMA_PAGE_ROWS_MAX).optional();

/**
 * Limits a list to a workspace. Without it, the list has all workspaces, for the operator. The reply repeats it: a service of the
 * version before ignores it, and what that one answers must not reach a workspace.
 */
export const InWorkspace = { workspaceId: Ksuid.optional() };

/** Sorted by ID. Repeat the call with `after` = `next` until it is missing. */
export const ListModels = defineCall({
  subject: 'schema.model.list.v1',
  request: z.object({ ...InWorkspace, writeKey: Text.optional(), after: z.number().int().optional(), limit: Limit }),
  reply: z.object({ ...InWorkspace, models: z.array(EventModel), next: z.number().int().optional() }),
  deadlineMs: 5_000,
  example: { request: {}, reply: { models: [exampleModel] } },
});

/** The workspace of a model, by its id or by that of one of its versions. Missing if the id is unknown. */
export const FindModelOwner = defineCall({
  subject: 'schema.model.owner.v1',
  request: z.union([z.object({ eventId: Text }), z.object({ versionId: Text })]),
  reply: z.object(InWorkspace),
  deadlineMs: 5_000,
  example: { request: { eventId: EVENT }, reply: {} },
});

/** An unknown model gives an empty list and no error (ruling 24). */
export const ListVersions = defineCall({
  subject: 'schema.version.list.v1',
  request: z.object({ eventId: Text, after: z.number().int().optional(), limit: Limit }),
  reply: z.object({ versions: z.array(EventVersion), next: z.number().int().optional() }),
  deadlineMs: 5_000,
  example: { request: { eventId: EVENT }, reply: { versions: [] } },
});

export const GetModelMetadata = defineCall({
  subject: 'schema.model.metadata.v1',
  request: z.object({ eventId: Text }),
  reply: EventMetadata,
  deadlineMs: 5_000,
  example: { request: { eventId: EVENT }, reply: exampleMetadata },
});

export const GetVersionMetadata = defineCall({
  subject: 'schema.version.metadata.v1',
  request: z.object({ versionId: Text }),
  reply: EventMetadata,
  deadlineMs: 5_000,
  example: { request: { versionId: EVENT }, reply: exampleMetadata },
});

export const GetKeyCounts = defineCall({
  subject: 'schema.model.key-counts.v1',
  request: z.object({ eventId: Text }),
  reply: z.object({ counts: mapOf<number>() }),
  deadlineMs: 5_000,
  example: { request: { eventId: EVENT }, reply: { counts: { type: 5 } } },
});

export const GetMissingKeys = defineCall({
  subject: 'schema.version.missing-keys.v1',
  request: z.object({ versionId: Text }),
  reply: z.object({ keys: z.array(z.string()) }),
  deadlineMs: 5_000,
  example: { request: { versionId: EVENT }, reply: { keys: ['properties.price'] } },
});
