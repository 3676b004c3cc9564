import { PurgeRunnerUsers, PurgeSchemaUsers } from '@weir/contracts';

/** What Weir itself keeps of users, by the name under which its purge is listed beside the destinations. */
export const INTERNAL_PURGES = {
  'internal:schema': PurgeSchemaUsers,
  'internal:runner': PurgeRunnerUsers,
} as const;
export type InternalPurge = keyof typeof INTERNAL_PURGES;

/** The `type` of an internal task. */
export const INTERNAL = 'INTERNAL';

export const isInternal = (destinationId: string): destinationId is InternalPurge => destinationId in INTERNAL_PURGES;
