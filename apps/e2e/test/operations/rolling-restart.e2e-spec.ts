import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { useStack } from '@weir/local';
import { type Api, api, type RecordingServer, recordingServer, trackEvent, uniqueName, until } from '@weir/testing';
import { collected, countsOf, delivered, pipeline } from '../faults/traffic.js';
import { restart } from '../support/restart.js';
import { readyProxy } from './ready-proxy.js';
import { SecondLogins } from './second-logins.js';

const REPLICAS = 2;
/** `npm run rolling-restart` runs it. It takes minutes, so `npm test` skips it. */
const described = process.env['WEIR_TEST_FULL'] === '1' ? describe : describe.skip;
const REQUESTS_PER_SECOND = 200;
const TICK_MS = 50;
/** A slower machine gets less load instead of an endless queue. */
const UNDER_WAY_MAX = 400;
/** Queued work also has to finish after the last process is back. */
const SETTLE_MS = 120_000;
const TEST_MS = 600_000;
const EVENT = 'Rolled';

/** Mixed traffic that records every unexpected answer. */
class Traffic {
  readonly failures: string[] = [];
  /** The process being restarted, to help explain failures. */
  during = '';
  sent = 0;
  private readonly underWay = new Set<Promise<void>>();
  private isOver = false;

  constructor(private readonly kinds: readonly (() => Promise<{ status: number; text: string }>)[]) {}

  async run(): Promise<void> {
    const startedAt = performance.now();
    const due = () => ((performance.now() - startedAt) / 1_000) * REQUESTS_PER_SECOND;
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

/** Runs two of every process behind a load balancer that polls `/readyz`. */
described('a rolling restart', () => {
  const stack = useStack({ replicas: REPLICAS, opsPorts: true });
  let hook: RecordingServer;
  let proxy: Awaited<ReturnType<typeof readyProxy>>;

  beforeAll(async () => {
    hook = await recordingServer();
    const { urls, opsUrls } = stack().address;
    const ready = ['gateway.main', 'gateway.main-2'].map((name) => opsUrls[name] ?? '');
    proxy = await readyProxy(urls.map((url, n) => ({ url, readyUrl: ready[n] ?? '' })));
  });

  afterAll(() => Promise.all([proxy.close(), hook.close()]));

  /** Restarts every process in turn. */
  async function restartAll(traffic: Traffic): Promise<void> {
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      for (const name of PROCESSES) {
        traffic.during = `${name} ${replica}`;
        await restart(stack(), name, replica);
      }
    }
  }

  /** Does the work under traffic. No request may fail, and every event has to arrive and be counted once. */
  async function underTraffic(name: string, work: (traffic: Traffic) => Promise<void>): Promise<void> {
    const { writeKey, sourceId, destinationId } = await pipeline(stack().address, hook, name);
    const address = { ...stack().address, urls: [proxy.url] };
    const taken = new Set<string>();
    const traffic = new Traffic(kindsOf({ address, writeKey, sourceId, destinationId, taken }));
    const startedAt = performance.now();
    const running = traffic.run();
    await work(traffic).finally(() => traffic.stop());
    await running;
    const seconds = (performance.now() - startedAt) / 1_000;
    const { sent, failures } = traffic;
    const rate = Math.round(sent / seconds);
    process.stdout.write(`${name} under ${rate} requests/s: ${failures.length} of ${sent} failed\n`);
    expect(failures).toEqual([]);
    expect(taken.size).toBeGreaterThan(0);
    const arrived = () => delivered(hook).get(EVENT)?.size === taken.size;
    await until('every event to arrive', arrived, SETTLE_MS).catch(() => undefined); // the next line shows how many arrived
    expect(countsOf(delivered(hook))).toEqual({ [EVENT]: taken.size });
    const counted = async () => (await collected(stack().address, writeKey))[EVENT] === taken.size;
    await until('every event to be counted once', counted, SETTLE_MS);
  }

  it(
    'of each process in turn fails no request and loses no event',
    () => underTraffic('a restart', restartAll),
    TEST_MS,
  );

  it(
    'may bring new passwords of PostgreSQL and the broker, while both accept two',
    async () => {
      const passwords = await SecondLogins.open(stack());
      // Not under traffic: a broker that reads its users again forgets who may answer the calls that are under way.
      await passwords.accept();
      await underTraffic('new passwords', restartAll);
      await passwords.refuseFirst();
      await underTraffic('the second logins alone', restartAll);
      await passwords.close();
    },
    2 * TEST_MS,
  );
});

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
