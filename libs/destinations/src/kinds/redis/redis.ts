import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { CA_CERTIFICATE, SKIP_VERIFY, streamPayload } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import { REDIS_USERS_MAX, redisDelete } from './redis.deletion.js';
import { redisKey, redisSettings } from './redis.nodes.js';
import { RedisSession } from './redis.session.js';

export default defineKind({
  name: 'REDIS',
  displayName: 'Redis',
  messageTypes: ['identify'],
  config: {
    address: kit.required(
      kit.asAddress(
        kit.field({
          type: 'string',
          minLength: 1,
          maxLength: 2_048,
          description: '`host:port`; of a cluster, several by comma',
        }),
      ),
    ),
    database: kit.field({
      type: ['string', 'integer'],
      default: '0',
      description: 'Number of the database. Clusters have only one',
    }),
    password: kit.asSecret(kit.field({ type: 'string', maxLength: 1_024 })),
    prefix: kit.field({ type: 'string', maxLength: 256, description: 'Users are kept at `<prefix>:user:<userId>`' }),
    secure: kit.field({ type: 'boolean', default: false, description: 'TLS' }),
    skipVerify: SKIP_VERIFY,
    caCertificate: kit.asSecret(CA_CERTIFICATE),
    clusterMode: kit.field({ type: 'boolean', default: false }),
    useJSONModule: kit.field({ const: false, description: 'Users are kept as hashes only' }),
  },
  example: { address: 'redis.example.com:6379' },
  /** Converts the traits of a user to fields of one hash. Only `identify` events have them, others are filtered out. */
  transform(event, config) {
    if (event['type'] !== 'identify') return [];
    const { userId } = event;
    const isId = (typeof userId === 'string' && userId.trim() !== '') || typeof userId === 'number';
    if (!isId) throw new AppError('invalid', 'userId is required: users are kept by it');
    const json = fieldsOf(kit.traitsOf(event));
    if (Object.keys(json).length === 0) return [];
    const id = String(userId).trim();
    const endpoint = redisKey({ userId: id }, redisSettings(config).prefix);
    return [streamPayload({ type: 'REDIS', method: 'HSET', endpoint, json, userId: id })];
  },
  open: (config, outbound) => new RedisSession(redisSettings(config), outbound),
  batching: { payloadsMax: 256, bytesMax: 1_048_576, waitMs: 5 },
  deletion: { usersMax: REDIS_USERS_MAX, identifiers: ['userId'], delete: redisDelete },
});

/** A field holds a text, so lists and objects become JSON. Null is omitted. */
function fieldsOf(traits: JsonObject): JsonObject {
  const given = Object.entries(traits).filter(([, value]) => value !== null && value !== undefined);
  return kit.objectOf(given.map(([key, value]) => [key, fieldOf(value)]));
}

const fieldOf = (value: unknown): string =>
  isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
