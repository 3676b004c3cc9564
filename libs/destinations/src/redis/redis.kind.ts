import type { DestinationKind } from '../kind.js';
import { undeliverable } from '../undeliverable.js';
import { redisDefinition } from './redis.definition.js';
import { REDIS_USERS_MAX, redisDelete } from './redis.delete.js';

export const redis: DestinationKind = {
  definition: redisDefinition,
  ...undeliverable(redisDefinition.displayName),
  deletionUsersMax: REDIS_USERS_MAX,
  deletionIdentifiers: ['userId'],
  delete: redisDelete,
};
