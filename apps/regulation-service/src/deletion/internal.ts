import { PurgeRunnerUsers, PurgeSchemaUsers } from '@weir/contracts';

/** Purges of the data that Weir itself keeps of users, by the name listed beside the destinations. */
export const INTERNAL_PURGES = {
  'internal:schema': PurgeSchemaUsers,
  'internal:runner': PurgeRunnerUsers,
} as const;
export type InternalPurge = keyof typeof INTERNAL_PURGES;

/** The `type` of an internal task. */
export const INTERNAL = 'INTERNAL';

export const isInternal = (destinationId: string): destinationId is InternalPurge => destinationId in INTERNAL_PURGES;
