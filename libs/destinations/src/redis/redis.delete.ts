import type { DeletionOutcome, DeletionRequest, Outbound } from '../kind.js';
import { RedisNodes, replyErrorOf } from './redis.nodes.js';
import { redisKey, redisSettings } from './redis.settings.js';

/** Keys on one connection at a time; well within what one command timeout allows. */
export const REDIS_USERS_MAX = 500;

/** Removes the key of each user; by `userId` only, as nothing else is part of a key (spec 4.2 rule 5). */
export async function redisDelete({ config, users }: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome> {
  const settings = redisSettings(config);
  const keys = new Set(users.map((user) => redisKey(user, settings.prefix)));
  const nodes = new RedisNodes(settings, outbound);
  try {
    await Promise.all(Array.from(keys, (key) => nodes.remove(key)));
    return { status: 'complete' };
  } catch (error) {
    const answer = replyErrorOf(error);
    if (answer === undefined) throw error;
    return { status: 'failed', reason: reasonOf(answer) };
  } finally {
    await nodes.close();
  }
}

/** The first word of an error is its code; the rest may hold a key. */
function reasonOf(message: string): string {
  const [code = 'ERR'] = message.split(' ');
  const isRefused = ['NOAUTH', 'WRONGPASS', 'NOPERM'].includes(code);
  return isRefused ? `the credentials were refused (${code})` : `Redis answered ${code}`;
}
