import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Uuid } from './ids.js';
import { ListOrder } from './order.js';
import { InWorkspace } from './schemas.js';
import { Text } from './text.js';

const EVENT = '6b8f0f66-5a42-4d8e-9d6b-0d6b5c1f9a10';
const VERSION = '0d1f5e9a-2c51-4f0b-8a43-7f2f9f5a6c11';
const AT = '2026-01-01T00:00:00.123456Z';

const Count = z.number().int();
const Share = z.number().min(0).max(1);
const Key = z.string().meta({ description: 'Dotted key path' });
const Types = z.string().meta({ description: '`string`, `float64` or `bool`, or several of them, joined by commas' });

/** One key of a model over all of its events. */
export const KeyFact = z.object({
  Key,
  Events: Count.meta({ description: 'Events that carry the key' }),
  Share: Share.meta({ description: 'Share of all events of the model' }),
  Types: z.array(
    z.object({
      Type: z.string(),
      Events: Count,
      Share: Share.meta({
        description: 'Shares of the events that carry the key. They add up to more than 1 if one event has two types',
      }),
    }),
  ),
  FirstSeen: z.string(),
  LastSeen: z.string(),
});
export type KeyFact = z.output<typeof KeyFact>;

/** Sorted by key. Repeat the call with `after` = `next` until it is missing. */
export const ListKeyFacts = defineCall({
  subject: 'schema.key.list.v1',
  request: z.object({ eventId: Text, after: Text.optional() }),
  reply: z.object({ keys: z.array(KeyFact), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: {
    request: { eventId: EVENT },
    reply: {
      keys: [
        {
          Key: 'properties.price',
          Events: 3,
          Share: 0.75,
          Types: [{ Type: 'float64', Events: 3, Share: 1 }],
          FirstSeen: AT,
          LastSeen: AT,
        },
      ],
    },
  },
});

/** The shape of all events of a model so far, as JSON Schema draft-07 of their `properties` or `traits`. */
export const ObservedSchema = z.object({
  eventId: Uuid,
  writeKey: z.string(),
  schemaType: z.string().meta({ description: 'Type of the events' }),
  schemaIdentifier: z.string().meta({ description: 'Their event or page name' }),
  schema: JsonObject,
});
export type ObservedSchema = z.output<typeof ObservedSchema>;

const exampleSchema = {
  eventId: EVENT,
  writeKey: 'wk',
  schemaType: 'track',
  schemaIdentifier: 'Bought',
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { price: { type: 'number' } },
    required: ['price'],
    additionalProperties: false,
  },
};

/** Sorted by the models' IDs. Repeat the call with `after` = `next` until it is missing. */
export const ListJsonSchemas = defineCall({
  subject: 'schema.json-schema.list.v1',
  request: z.object({ ...InWorkspace, writeKey: Text.optional(), after: Count.optional() }),
  reply: z.object({ ...InWorkspace, schemas: z.array(ObservedSchema), next: Count.optional() }),
  deadlineMs: 5_000,
  example: {
    request: {},
    reply: {
      schemas: [exampleSchema],
    },
  },
});

/** One of {@link ListJsonSchemas}. */
export const GetJsonSchema = defineCall({
  subject: 'schema.json-schema.get.v1',
  request: z.object({ eventId: Text }),
  reply: ObservedSchema,
  deadlineMs: 5_000,
  example: { request: { eventId: EVENT }, reply: exampleSchema },
});

export const VersionDiff = z.object({
  VersionID: Uuid,
  Against: Uuid,
  Compatibility: z.enum(['identical', 'compatible', 'breaking']).meta({
    description: '`breaking`: a key vanished or has a new type. `compatible`: keys were added or lost a type',
  }),
  Added: z.array(z.object({ Key, Types })),
  Removed: z.array(z.object({ Key, Types })),
  Changed: z.array(z.object({ Key, From: Types, To: Types })),
  Complete: z.boolean().meta({ description: 'False when not every difference fits the answer' }),
});
export type VersionDiff = z.output<typeof VersionDiff>;

/** Returns the keys that `versionId` has and `against` lacks, and the reverse. `invalid` if they belong to different models. */
export const DiffVersions = defineCall({
  subject: 'schema.version.diff.v1',
  request: z.object({ versionId: Text, against: Text }),
  reply: VersionDiff,
  deadlineMs: 5_000,
  example: {
    request: { versionId: EVENT, against: VERSION },
    reply: {
      VersionID: EVENT,
      Against: VERSION,
      Compatibility: 'compatible',
      Added: [{ Key: 'properties.coupon', Types: 'string' }],
      Removed: [],
      Changed: [],
      Complete: true,
    },
  },
});

/** Days for which the events of models are counted, including today. */
export const MODEL_DAYS_MAX = 30;

export const ModelDays = z.object({
  EventID: Uuid,
  Days: z
    .array(z.object({ Day: z.string().meta({ description: 'In UTC: "2026-01-01"' }), Events: Count }))
    .max(MODEL_DAYS_MAX)
    .meta({ description: 'Oldest first. Days without events are left out' }),
});
export type ModelDays = z.output<typeof ModelDays>;

/** Lists days in the order of the models. Repeat the call with `after` = `next` until it is missing. */
export const ListModelDays = defineCall({
  subject: 'schema.model.list-days.v1',
  request: z.object({ ...InWorkspace, writeKey: Text.optional(), after: Count.optional() }),
  reply: z.object({ ...InWorkspace, models: z.array(ModelDays), next: Count.optional() }),
  deadlineMs: 5_000,
  example: { request: {}, reply: { models: [{ EventID: EVENT, Days: [{ Day: '2026-01-01', Events: 5 }] }] } },
});

export const DRIFT_KINDS = ['new_version', 'new_type', 'vanished_key'] as const;
/** Notices per page. */
export const DRIFT_PAGE_SIZE = 50;

export const DriftNotice = z.object({
  ID: Count,
  Kind: z.enum(DRIFT_KINDS),
  EventID: Uuid,
  WriteKey: z.string(),
  EventType: z.string(),
  EventIdentifier: z.string(),
  VersionID: Uuid.optional().meta({ description: 'The version that introduced it' }),
  Keys: z.array(Key).meta({ description: 'Keys that are new to the model (up to 10), gained a type or vanished' }),
  TypesBefore: Types.optional(),
  TypesAfter: Types.optional(),
  NoticedAt: z.string().meta({ description: 'Intake time of the event that showed it' }),
});
export type DriftNotice = z.output<typeof DriftNotice>;

/** Oldest first, or newest first. Repeat the call with `after` = `next` until it is missing. */
export const ListDrift = defineCall({
  subject: 'schema.drift.list.v1',
  request: z.object({
    ...InWorkspace,
    writeKey: Text.optional(),
    eventId: Text.optional(),
    kind: z.enum(DRIFT_KINDS).optional(),
    after: Count.optional(),
    limit: Count.min(1).max(DRIFT_PAGE_SIZE).optional(),
    order: ListOrder.optional(),
  }),
  reply: z.object({ ...InWorkspace, notices: z.array(DriftNotice), next: Count.optional() }),
  deadlineMs: 5_000,
  example: {
    request: {},
    reply: {
      notices: [
        {
          ID: 1,
          Kind: 'new_type',
          EventID: EVENT,
          WriteKey: 'wk',
          EventType: 'track',
          EventIdentifier: 'Bought',
          VersionID: VERSION,
          Keys: ['properties.price'],
          TypesBefore: 'float64',
          TypesAfter: 'float64,string',
          NoticedAt: AT,
        },
      ],
    },
  },
});
