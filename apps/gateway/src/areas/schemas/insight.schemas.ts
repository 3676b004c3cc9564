import { DRIFT_KINDS, DRIFT_PAGE_SIZE, DriftNotice, KeyFact, ListPiiFlags, ObservedSchema } from '@weir/contracts';
import { z } from 'zod';
import { queryInteger } from '../../http/fields.js';
import { after, queryId, WriteKey } from './schema.schemas.js';

export const SourceQuery = z.object({ WriteKey });
export type SourceQuery = z.output<typeof SourceQuery>;

/** Required, but its absence has its own error text. */
export const DiffQuery = z.object({
  against: queryId
    .optional()
    .meta({ description: 'VersionID of another version of the same model: the one before the change' }),
});
export type DiffQuery = z.output<typeof DiffQuery>;

export const DriftQuery = z.object({
  WriteKey,
  EventID: queryId.optional(),
  Kind: z.enum(DRIFT_KINDS, `must be one of ${DRIFT_KINDS.join(', ')}`).optional(),
  limit: queryInteger(1, DRIFT_PAGE_SIZE)
    .optional()
    .meta({ description: `${DRIFT_PAGE_SIZE} without it` }),
  after,
});
export type DriftQuery = z.output<typeof DriftQuery>;

export const SourcePath = z.object({ WriteKey: queryId });
export type SourcePath = z.output<typeof SourcePath>;

export const KeyFacts = z.array(KeyFact);
export const ObservedSchemas = z.array(ObservedSchema);
export const TypeScriptText = z.string().meta({ contentMediaType: 'text/plain' });
export const DriftNotices = z.array(DriftNotice);
export const PiiFlags = ListPiiFlags.reply.shape.flags;
