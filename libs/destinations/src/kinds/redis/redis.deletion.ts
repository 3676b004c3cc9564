import type { DeletionOutcome, DeletionRequest, Outbound } from '../../kind.js';
import { unsent } from '../../session/stream.js';
import { RedisNodes, redisKey, redisSettings, replyCodeOf, replyErrorOf } from './redis.nodes.js';

/** Keys per deletion. They share one connection and fit well within one command timeout. */
export const REDIS_USERS_MAX = 500;

/** Removes the key of each user, by `userId` only, because a key contains nothing else (spec 4.2 rule 5). */
export async function redisDelete({ config, users }: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome> {
  const settings = redisSettings(config);
  const keys = new Set(users.map((user) => redisKey(user, settings.prefix)));
  const nodes = new RedisNodes(settings, outbound);
  try {
    await Promise.all(Array.from(keys, (key) => nodes.run((node) => node.del(key))));
    return { status: 'complete' };
  } catch (error) {
    const answer = replyErrorOf(error);
    const reason = answer === undefined ? String(unsent('Redis', nodes.causeOf(error)).response) : reasonOf(answer);
    return { status: 'failed', reason };
  } finally {
    await nodes.close();
  }
}

function reasonOf(message: string): string {
  const code = replyCodeOf(message);
  const isRefused = ['NOAUTH', 'WRONGPASS', 'NOPERM'].includes(code);
  return isRefused ? `the credentials were refused (${code})` : `Redis answered ${code}`;
}
