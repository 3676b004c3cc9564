import type { DestinationKind } from '../kind.js';
import { redisDefinition } from './redis.definition.js';
import { REDIS_USERS_MAX, redisDelete } from './redis.delete.js';
import { RedisSession } from './redis.session.js';
import { redisSettings } from './redis.settings.js';
import { redisTransform } from './redis.transform.js';

export const redis: DestinationKind = {
  definition: redisDefinition,
  transform: redisTransform,
  open: (config, outbound) => new RedisSession(redisSettings(config), outbound),
  batching: { payloadsMax: 256, bytesMax: 1_048_576, waitMs: 5 },
  deletionUsersMax: REDIS_USERS_MAX,
  deletionIdentifiers: ['userId'],
  delete: redisDelete,
};
