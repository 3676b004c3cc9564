import type { DeliveryResult, DeliverySession, Outbound, SessionItem } from '../../kind.js';
import { allOf, DELIVERED, later, never, unsent } from '../../session/stream.js';
import { RedisNodes, type RedisSettings, replyCodeOf, replyErrorOf } from './redis.nodes.js';

/** The key holds something other than a hash and stays unchanged. A retry cannot help. */
const WRONG_TYPE = 'WRONGTYPE';

/** Writes hashes. Repeats change nothing. After a connection loss, the next call reconnects. */
export class RedisSession implements DeliverySession {
  private nodes: RedisNodes | undefined;
  private isClosed = false;

  constructor(
    private readonly settings: RedisSettings,
    private readonly outbound: Outbound,
  ) {}

  async deliver(items: readonly SessionItem[]): Promise<DeliveryResult[]> {
    if (this.isClosed) throw new Error('the session is closed');
    this.nodes ??= new RedisNodes(this.settings, this.outbound);
    const nodes = this.nodes;
    try {
      return await Promise.all(items.map((item) => write(nodes, item)));
    } catch (error) {
      if (this.nodes === nodes) this.nodes = undefined;
      await nodes.close();
      return allOf(items, unsent('Redis', nodes.causeOf(error)));
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.nodes?.close();
  }
}

/** Rejects when the server could not be reached. */
async function write(nodes: RedisNodes, { payload }: SessionItem): Promise<DeliveryResult> {
  try {
    await nodes.run((node) => node.hset(payload.endpoint, payload.body.JSON));
    return DELIVERED;
  } catch (error) {
    const answer = replyErrorOf(error);
    if (answer === undefined) throw error;
    const code = replyCodeOf(answer);
    return code === WRONG_TYPE ? never(`Redis answered ${code}`) : later(`Redis answered ${code}`);
  }
}
