import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { StackAddress } from '@weir/local';
import { type Api, api, type RecordingServer, trackEvent, uniqueName, until } from '@weir/testing';
import { collected, countsOf, delivered, pipeline } from './traffic.js';

const TICK_MS = 50;
/**
 * A slower machine gets less load instead of an endless queue. With half of these for the ten connections of a gateway's pool, none waits
 * for the ten seconds after which it would be refused, as it should be.
 */
const UNDER_WAY_MAX = 100;
const EVENT = 'Rolled';
/** Failures that are shown at once. A run takes many minutes, and its report comes at the end. */
const SHOWN_MAX = 20;
const FAILURE_CHARS = 300;

/** Mixed traffic that records every unexpected answer. */
export class Traffic {
  readonly failures: string[] = [];
  /** The process being replaced, to help explain failures. */
  during = '';
  sent = 0;
  private readonly underWay = new Set<Promise<void>>();
  private isOver = false;

  constructor(
    private readonly kinds: readonly (() => Promise<{ status: number; text: string }>)[],
    private readonly requestsPerSecond: number,
  ) {}

  async run(): Promise<void> {
    const startedAt = performance.now();
    const due = () => ((performance.now() - startedAt) / 1_000) * this.requestsPerSecond;
    while (!this.isOver) {
      while (this.sent < due() && this.underWay.size < UNDER_WAY_MAX) this.sendOne();
      await sleep(TICK_MS);
    }
    await Promise.all(this.underWay);
  }

  stop(): void {
    this.isOver = true;
  }

  private sendOne(): void {
    const kind = this.sent % this.kinds.length;
    this.sent += 1;
    const { during } = this;
    const startedAt = performance.now();
    const fail = (how: string) => {
      const ms = Math.round(performance.now() - startedAt);
      this.failures.push(`kind ${kind}, ${during} to ${this.during}, ${ms} ms: ${how}`);
    };
    const sending = (this.kinds[kind] as Traffic['kinds'][number])()
      .then(({ status, text }) => {
        if (status >= 400) fail(`${status} ${text}`);
      })
      .catch((error: Error) => fail(`${error.message} ${String(error.cause)}`))
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }
}

export interface Load {
  name: string;
  stack: StackAddress;
  /** URL of the load balancer in front of its gateways. */
  proxyUrl: string;
  hook: RecordingServer;
  requestsPerSecond: number;
  /** Queued work also has to finish after the last process is back. */
  settleMs: number;
}

/** Does the work under traffic. No request may fail, and every event has to arrive and be counted once. */
export async function underTraffic(load: Load, work: (traffic: Traffic) => Promise<void>): Promise<void> {
  const { name, stack, hook, settleMs } = load;
  const { writeKey, sourceId, destinationId } = await pipeline(stack, hook, name);
  const address = { ...stack, urls: [load.proxyUrl] };
  const taken = new Set<string>();
  const kinds = kindsOf({ address, writeKey, sourceId, destinationId, taken });
  const traffic = new Traffic(kinds, load.requestsPerSecond);
  const startedAt = performance.now();
  const running = traffic.run();
  await work(traffic).finally(() => traffic.stop());
  await running;
  const seconds = (performance.now() - startedAt) / 1_000;
  const { sent, failures } = traffic;
  const rate = Math.round(sent / seconds);
  process.stdout.write(`${name} under ${rate} requests/s: ${failures.length} of ${sent} failed\n`);
  for (const failure of failures.slice(0, SHOWN_MAX)) process.stdout.write(`  ${failure.slice(0, FAILURE_CHARS)}\n`);
  expect(failures.slice(0, SHOWN_MAX)).toEqual([]);
  expect(taken.size).toBeGreaterThan(0);
  const arrived = () => delivered(hook).get(EVENT)?.size === taken.size;
  await until('every event to arrive', arrived, settleMs).catch(() => undefined); // the next line shows how many arrived
  expect(countsOf(delivered(hook))).toEqual({ [EVENT]: taken.size });
  const counted = async () => (await collected(stack, writeKey))[EVENT] === taken.size;
  await until('every event to be counted once', counted, settleMs);
  expect(await counted()).toBe(true); // and none a second time a moment later
}

interface Target {
  address: Parameters<typeof api>[0];
  writeKey: string;
  sourceId: string;
  destinationId: string;
  /** Message ids of the events answered with 200. */
  taken: Set<string>;
}

/** Half of the requests go to the intake. The rest are reads and writes of every service that answers calls. */
function kindsOf({ address, writeKey, sourceId, destinationId, taken }: Target) {
  const client: Api = api(address);
  const intake = api(address, { writeKey });
  const code = 'export function transformEvent(event) { return event; }';
  const track = async () => {
    const body = trackEvent({ event: EVENT, userId: `user-${taken.size % 7}` });
    const answer = await intake.post('/v1/track', body);
    if (answer.status === 200) taken.add(String(body['messageId']));
    return answer;
  };
  const reads = [
    () => client.get(`/v2/sources/${sourceId}`),
    () => client.get('/transformations'),
    () => client.get('/v2/regulations'),
    () => api(address, 'admin').get('/schemas/event-models', { query: { WriteKey: writeKey } }),
    () => client.get('/v2/deliveries', { query: { destinationId } }),
  ];
  const writes = [
    () => client.post('/v2/sources', { name: uniqueName('rolled'), type: 'HTTP', enabled: true }),
    () => client.post('/transformations', { name: uniqueName('rolled'), code }),
    () => client.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: uniqueName('gone') }] }),
  ];
  return [...reads, ...writes].flatMap((kind) => [track, kind]);
}
