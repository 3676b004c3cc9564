import {
  DRIFT_KINDS,
  DRIFT_PAGE_SIZE,
  DriftNotice,
  EventModel,
  EventVersion,
  GetKeyCounts,
  GetMissingKeys,
  JsonObject,
  KeyFact,
  Ksuid,
  ListDrift,
  ListModels,
  ListPiiFlags,
  ModelDays,
  ObservedSchema,
  SCHEMA_PAGE_ROWS_MAX,
  Text,
} from '@weir/contracts';
import { z } from 'zod';
import { listOrder, pathText, queryInteger } from '../../http/fields.js';

/** Highest row number that a page may start after. */
const AFTER_MAX = 999_999_999;
const NAME_CHARS_MAX = 256;

/** Parameter names in the specification's spelling (spec 4.4). */
export const ModelPath = z.object({ EventID: pathText.meta({ description: 'Id of the event model' }) });
export type ModelPath = z.output<typeof ModelPath>;
export const VersionPath = z.object({ VersionID: pathText.meta({ description: 'Id of the schema version' }) });
export type VersionPath = z.output<typeof VersionPath>;

const nameText = Text.max(NAME_CHARS_MAX);
/** An id in a query. An id of any form may be unknown, and the first of repeated ones counts (wire-facts 4.2). */
const queryId = z.preprocess((given) => (Array.isArray(given) ? given[0] : given), pathText);
export const WriteKey = queryId
  .optional()
  .meta({ description: 'Write key of a source. Limits the answer to this source' });
export const SourceName = nameText
  .optional()
  .meta({ description: 'Name of a source, instead of its write key. Limits the answer to this source' });
export const after = queryInteger(0, AFTER_MAX)
  .optional()
  .meta({ description: 'Rows after this ID. The `Link` header of the previous page has the value' });

/** With either parameter, the answer is one page. It has an `ETag`, and a `Link` header while more rows follow. */
const page = {
  limit: queryInteger(1, SCHEMA_PAGE_ROWS_MAX)
    .optional()
    .meta({ description: 'Rows per page. Without it, the answer has all rows' }),
  after,
};

export const ModelsQuery = z.object({ WriteKey, SourceName, ...page });
export type ModelsQuery = z.output<typeof ModelsQuery>;
/** Required, but its absence has its own error text. */
export const VersionsQuery = z.object({
  EventID: queryId.optional().meta({ description: 'Required. Id of the event model' }),
  ...page,
});
export type VersionsQuery = z.output<typeof VersionsQuery>;

/** The id that a session of the console gets instead of a write key. */
const SourceID = Ksuid.optional().meta({
  description: 'The source, for sessions of the console, whose `WriteKey` is ***. Missing if it is deleted',
});
const ShownModel = EventModel.extend({ SourceID });
export const Models = z.array(ShownModel.meta({ id: 'EventModel', examples: ListModels.example.reply.models }));
export const Versions = z.array(EventVersion);
export const KeyCounts = GetKeyCounts.reply.shape.counts;
export const MissingKeys = GetMissingKeys.reply.shape.keys;

export const SourceQuery = z.object({ WriteKey, SourceName });
export type SourceQuery = z.output<typeof SourceQuery>;

/** Required, but its absence has its own error text. */
export const DiffQuery = z.object({
  against: nameText
    .optional()
    .meta({ description: 'VersionID of another version of the same model, usually the earlier one' }),
});
export type DiffQuery = z.output<typeof DiffQuery>;

export const DriftQuery = z.object({
  WriteKey,
  SourceName,
  EventID: queryId.optional().meta({ description: 'Only notices of this event model' }),
  Kind: z
    .enum(DRIFT_KINDS, `must be one of ${DRIFT_KINDS.join(', ')}`)
    .optional()
    .meta({ description: 'Only notices of this kind' }),
  limit: queryInteger(1, DRIFT_PAGE_SIZE)
    .optional()
    .meta({ description: `Notices per page. Default: ${DRIFT_PAGE_SIZE}` }),
  after: after.meta({
    description:
      'Notices after this ID, in the order of the list. 0 is its start. The `Link` header of the previous page has the value',
  }),
  order: listOrder,
});
export type DriftQuery = z.output<typeof DriftQuery>;

export const SourcePath = z.object({ WriteKey: nameText.meta({ description: 'Write key of the source' }) });
export type SourcePath = z.output<typeof SourcePath>;

export const KeyFacts = z.array(KeyFact);
export const ModelsByDay = z.array(ModelDays);
export const ObservedSchemas = z.array(ObservedSchema);
export const JsonSchema = JsonObject.meta({ description: 'JSON Schema, draft-07' });
export const TypeScriptText = z.string().meta({ contentMediaType: 'text/plain' });
const ShownDrift = DriftNotice.extend({ SourceID });
export const DriftNotices = z.array(ShownDrift.meta({ id: 'DriftNotice', examples: ListDrift.example.reply.notices }));
export const PiiFlags = ListPiiFlags.reply.shape.flags;
