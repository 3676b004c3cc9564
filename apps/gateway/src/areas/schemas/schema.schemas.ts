import { EventModel, EventVersion, GetKeyCounts, GetMissingKeys, SCHEMA_PAGE_ROWS_MAX, Text } from '@weir/contracts';
import { z } from 'zod';
import { pathText, queryInteger } from '../../http/fields.js';

/** Highest row number that a page may start after. */
const AFTER_MAX = 999_999_999;
const ID_CHARS_MAX = 256;

/** Parameter names in the specification's spelling (spec 4.4). */
export const ModelPath = z.object({ EventID: pathText });
export type ModelPath = z.output<typeof ModelPath>;
export const VersionPath = z.object({ VersionID: pathText });
export type VersionPath = z.output<typeof VersionPath>;

export const queryId = Text.max(ID_CHARS_MAX);
export const WriteKey = queryId.optional().meta({ description: 'Of this source only' });
export const after = queryInteger(0, AFTER_MAX)
  .optional()
  .meta({ description: 'Rows behind this ID, as the `Link` header of the page before says' });

/** With either parameter, the answer is one page. It has an `ETag`, and a `Link` header while more rows follow. */
const page = {
  limit: queryInteger(1, SCHEMA_PAGE_ROWS_MAX).optional().meta({ description: 'Rows of a page; without it all rows' }),
  after,
};

export const ModelsQuery = z.object({ WriteKey, ...page });
export type ModelsQuery = z.output<typeof ModelsQuery>;
/** Required, but its absence has its own error text. */
export const VersionsQuery = z.object({ EventID: queryId.optional(), ...page });
export type VersionsQuery = z.output<typeof VersionsQuery>;

export const Models = z.array(EventModel);
export const Versions = z.array(EventVersion);
export const KeyCounts = GetKeyCounts.reply.shape.counts;
export const MissingKeys = GetMissingKeys.reply.shape.keys;
