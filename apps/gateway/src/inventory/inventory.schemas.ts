import { JsonObject, Ksuid, PARTITIONS, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { etag, etags } from '../http/entity-tag.js';
import {
  bodyId,
  nameText,
  nullableObject,
  optionalText,
  pageNumber,
  pathId,
  queryBoolean,
  requiredText,
  uniqueName,
  wholeNumber,
} from '../http/fields.js';
import { Paging } from '../http/lists.js';

export const SourcePath = z.object({ id: pathId('source') });
export const DestinationPath = z.object({ id: pathId('destination') });
export const ConnectionPath = z.object({ id: pathId('connection') });
export type IdPath = { id: string };

export const PageQuery = z.object({ page: pageNumber, etags });
export type PageQuery = z.output<typeof PageQuery>;
export const CreateQuery = z.object({ uniqueName });
export type CreateQuery = z.output<typeof CreateQuery>;
/** Lists of objects with external ids accept this filter (wire-facts 5). */
export const ExternalIdPageQuery = PageQuery.extend({
  hasExternalId: queryBoolean.meta({ description: 'Only those with, or without, an external id' }),
});
export type ExternalIdPageQuery = z.output<typeof ExternalIdPageQuery>;
/** The parameters of a list that its next page keeps. */
export const keptByPages = ({ hasExternalId, etags }: PageQuery & Partial<ExternalIdPageQuery>) => ({
  hasExternalId,
  etags: etags || undefined,
});

export const ExternalIdBody = z
  .object({ externalId: requiredText })
  .meta({ id: 'SetExternalId', examples: [{ externalId: 'shop-web' }] });
export type ExternalIdBody = z.output<typeof ExternalIdBody>;
export const ExternalIdReply = z.object({ id: Ksuid, externalId: z.string() }).meta({ id: 'ExternalId' });
export type ExternalIdReply = z.output<typeof ExternalIdReply>;

const settings = {
  enabled: z.boolean(),
  /** Free form. Null counts as empty (wire-facts 5). */
  config: nullableObject,
  geoEnrichmentEnabled: z.boolean(),
  transient: z.boolean(),
  partitions: wholeNumber(1, PARTITIONS).meta({
    description:
      'Over how many partitions the users of the source are spread, so that several processes share its events. Splits requests, so leave 1 for all but the largest sources. Changes only while the source is disabled',
  }),
};

/** Keys of other systems are letters, digits, `_` and `-`. Shorter ones could be guessed. */
const CHOSEN_WRITE_KEY = /^[\w-]{20,64}$/;

export const CreateSourceBody = z
  .object({
    name: nameText,
    type: requiredText.meta({ description: 'Type of the sender, such as HTTP, Javascript or webhook' }),
    writeKey: z.string().regex(CHOSEN_WRITE_KEY, 'must be 20 to 64 letters, digits, _ and -').optional().meta({
      description:
        'Only for admins who move in: the write key that SDKs already use. It must be unique, and never one that another workspace had. Without it, Weir makes one',
    }),
    enabled: settings.enabled.default(true),
    config: settings.config.default({}),
    geoEnrichmentEnabled: settings.geoEnrichmentEnabled.default(false),
    transient: settings.transient.default(false),
    partitions: settings.partitions.default(1),
  })
  .meta({ id: 'CreateSource', examples: [{ name: 'Shop', type: 'Javascript' }] });
export type CreateSourceBody = z.output<typeof CreateSourceBody>;

/** Clients send the whole source. Absent fields stay unchanged. `id` and `writeKey` never change. */
export const UpdateSourceBody = z
  .object({ name: nameText, type: requiredText, ...settings })
  .partial()
  .meta({ id: 'UpdateSource', examples: [{ name: 'Shop (EU)', enabled: false }] });
export type UpdateSourceBody = z.output<typeof UpdateSourceBody>;

export const Source = z
  .object({
    id: Ksuid,
    name: z.string(),
    type: z.string(),
    writeKey: z.string().meta({
      description: 'Identifies the source when it sends events, and reads nothing. Sessions of the console see ***',
    }),
    enabled: z.boolean(),
    config: JsonObject,
    geoEnrichmentEnabled: z.boolean(),
    transient: z.boolean(),
    partitions: z.int(),
    workspaceId: Ksuid,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    etag,
  })
  .meta({ id: 'Source' });
export type Source = z.output<typeof Source>;

export const WriteKeyReply = z.object({ writeKey: z.string() });
export type WriteKeyReply = z.output<typeof WriteKeyReply>;
export const SourceReply = z.object({ source: Source });
export type SourceReply = z.output<typeof SourceReply>;
export const SourceList = z.object({ sources: z.array(Source), paging: Paging });
export type SourceList = z.output<typeof SourceList>;

export const CreateDestinationBody = z
  .object({
    name: nameText,
    /** Name of a destination definition. */
    type: requiredText,
    enabled: z.boolean().default(true),
    /** Checked against the definition's `configSchema`. Unknown keys are kept (ruling 28). */
    config: nullableObject.default({}),
    externalId: optionalText.optional(),
  })
  .meta({
    id: 'CreateDestination',
    examples: [{ name: 'My server', type: 'WEBHOOK', config: { webhookUrl: 'https://example.com/events' } }],
  });
export type CreateDestinationBody = z.output<typeof CreateDestinationBody>;

/** Clients send the whole destination. Absent fields stay unchanged. The external id has its own path. */
export const UpdateDestinationBody = z
  .object({ name: nameText, type: requiredText, enabled: z.boolean(), config: nullableObject })
  .partial()
  .meta({ id: 'UpdateDestination', examples: [{ enabled: false }] });
export type UpdateDestinationBody = z.output<typeof UpdateDestinationBody>;

export const Destination = z
  .object({
    id: Ksuid,
    name: z.string(),
    type: z.string(),
    enabled: z.boolean(),
    status: z.enum(['ready', 'disabled', 'incomplete']).meta({
      description: '`incomplete` if required settings are missing. Only a `ready` destination receives events',
    }),
    missing: z
      .array(z.string())
      .optional()
      .meta({ description: 'If incomplete: the settings of `config` that are missing' }),
    config: JsonObject.meta({
      description: 'Only tokens of admins see secrets. Others, and sessions of the console, see ***',
    }),
    version: z.literal(1),
    externalId: z.string().optional(),
    workspaceId: Ksuid,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    etag,
    /** Only in the answer for one destination: its transformation, or null if it has none. Absent while unknown. */
    transformationId: Ksuid.nullable().optional(),
    /** The same, as clients of the incumbent read it. Absent if there is none. */
    transformation: z.object({ id: Ksuid }).optional(),
  })
  .meta({ id: 'Destination' });
export type Destination = z.output<typeof Destination>;

export const DestinationReply = z.object({ destination: Destination });
export type DestinationReply = z.output<typeof DestinationReply>;
export const DestinationList = z.object({ destinations: z.array(Destination), paging: Paging });
export type DestinationList = z.output<typeof DestinationList>;

export const CreateConnectionBody = z
  .object({
    sourceId: bodyId,
    destinationId: bodyId,
    enabled: z.boolean().default(true),
    externalId: optionalText.optional(),
  })
  .meta({
    id: 'CreateConnection',
    examples: [{ sourceId: '2nVbmVzvVS3oSZWHUWDq4pRdEWT', destinationId: '2nVbmbnCcjPzG9hUyFVmfNgRzKd' }],
  });
export type CreateConnectionBody = z.output<typeof CreateConnectionBody>;

/** Clients send the whole connection. Absent fields stay unchanged. */
export const UpdateConnectionBody = z
  .object({ sourceId: bodyId, destinationId: bodyId, enabled: z.boolean() })
  .partial()
  .meta({ id: 'UpdateConnection', examples: [{ enabled: false }] });
export type UpdateConnectionBody = z.output<typeof UpdateConnectionBody>;

export const Connection = z
  .object({
    id: Ksuid,
    sourceId: Ksuid,
    destinationId: Ksuid,
    enabled: z.boolean(),
    externalId: z.string().optional(),
    workspaceId: Ksuid,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    etag,
  })
  .meta({ id: 'Connection' });
export type Connection = z.output<typeof Connection>;

export const ConnectionReply = z.object({ connection: Connection });
export type ConnectionReply = z.output<typeof ConnectionReply>;
export const ConnectionList = z.object({ connections: z.array(Connection), paging: Paging });
export type ConnectionList = z.output<typeof ConnectionList>;
