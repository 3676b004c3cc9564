import { setTimeout as sleep } from 'node:timers/promises';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { api, trackEvent, until } from '@weir/testing';
import { collected } from '../support/traffic.js';

type Stack = Parameters<typeof api>[0];

const BATCH_EVENTS = 10;
/** Shorter than an SDK's wait, so that the sender is back as soon as the intake is. */
const RETRY_MS = 50;

/**
 * Senders that keep the intake busy, with their own count of what it acknowledged. Each has its own source and one request under
 * way, alternating single events and batches. It repeats a request unchanged until the answer is 200.
 */
export class Ledger {
  private readonly acknowledged: Record<string, number>;
  private senders: Promise<void>[] = [];
  private stopped = false;

  constructor(
    private readonly stack: Stack,
    private readonly writeKeys: readonly string[],
  ) {
    this.acknowledged = Object.fromEntries(writeKeys.map((writeKey) => [writeKey, 0]));
  }

  start(): void {
    this.senders = this.writeKeys.map((writeKey) => this.send(writeKey));
  }

  /** Resolves when the last request is acknowledged. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.senders);
  }

  /** Resolves when this many more events are acknowledged. */
  async untilMore(events: number): Promise<void> {
    const wanted = this.total + events;
    await until(`${events} events more to be acknowledged`, () => this.total >= wanted);
  }

  /** Acknowledged events by write key. */
  get counts(): Readonly<Record<string, number>> {
    return this.acknowledged;
  }

  get total(): number {
    return Object.values(this.acknowledged).reduce((sum, count) => sum + count, 0);
  }

  private async send(writeKey: string): Promise<void> {
    for (let sent = 0; !this.stopped; sent += 1) {
      const events = Array.from({ length: sent % 2 === 0 ? 1 : BATCH_EVENTS }, () => trackEvent({ event: 'Recorded' }));
      await this.untilTaken(writeKey, events);
      this.acknowledged[writeKey] = (this.acknowledged[writeKey] ?? 0) + events.length;
    }
  }

  private async untilTaken(writeKey: string, events: Record<string, unknown>[]): Promise<void> {
    const client = api(this.stack, { writeKey });
    const [path, body] = events.length === 1 ? ['/v1/track', events[0]] : ['/v1/batch', { batch: events }];
    for (;;) {
      const answer = await client.post(path as string, body).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(RETRY_MS);
    }
  }
}

/** Write keys of one source per partition, so that the traffic reaches every consumer. */
export async function sourcePerPartition(stack: Stack): Promise<string[]> {
  const writeKeys = new Map<number, string>();
  for (let n = 0; writeKeys.size < PARTITIONS; n += 1) {
    const { body } = await api(stack).post('/v2/sources', { name: `sender ${n}`, type: 'HTTP', enabled: true });
    const { id, workspaceId, writeKey } = body.source;
    writeKeys.set(partitionOf(workspaceId, id), writeKey);
  }
  return [...writeKeys.values()];
}

/** Write key of a source that is spread over all partitions. */
export async function spreadSource(stack: Stack): Promise<string> {
  const body = { name: 'spread sender', type: 'HTTP', enabled: true, partitions: PARTITIONS };
  return (await api(stack).post('/v2/sources', body)).body.source.writeKey;
}

/** Events that area D has counted, by write key. */
export async function countedBy(stack: Stack, writeKeys: readonly string[]): Promise<Record<string, number>> {
  const counts = writeKeys.map(async (writeKey): Promise<[string, number]> => {
    const { Recorded = 0 } = await collected(stack, writeKey);
    return [writeKey, Recorded];
  });
  return Object.fromEntries(await Promise.all(counts));
}
