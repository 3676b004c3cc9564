import { JsonObject, VERSIONS_COUNT_DEFAULT, VERSIONS_COUNT_MAX } from '@weir/contracts';
import { z } from 'zod';
import { queryFlag, queryInteger } from '../../http/fields.js';

export const PublishQuery = z.object({ publish: queryFlag });
export type PublishQuery = z.output<typeof PublishQuery>;

/** `orderBy` accepts any case. The default is ascending by creation time (spec 4.1). */
export const VersionsQuery = z.object({
  count: queryInteger(1, VERSIONS_COUNT_MAX).default(VERSIONS_COUNT_DEFAULT),
  orderBy: z
    .string()
    .regex(/^(asc|desc)$/i, 'must be ASC or DESC')
    .transform((order) => (order.toUpperCase() === 'DESC' ? 'DESC' : 'ASC'))
    .default('ASC'),
});
export type VersionsQuery = z.output<typeof VersionsQuery>;

/** Test events of one transformation. Equals the registry's limit. */
export const TestEvents = z.array(JsonObject).max(1_000);

/**
 * The fields of a revision. All are optional in an update, and absent ones stay unchanged (wire-facts 1.5). The registry checks
 * lengths and that code is not empty, because it stores them.
 */
export const RevisionBody = z
  .object({ name: z.string(), code: z.string(), description: z.string(), language: z.string() })
  .partial();
export const NewObjectBody = RevisionBody.required({ name: true, code: true }).extend({
  externalId: z.string().optional(),
});

export const Success = z.object({ success: z.literal(true) });
export const SUCCESS = { success: true as const };
