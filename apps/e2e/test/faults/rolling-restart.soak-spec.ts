import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { useStack } from '@weir/local';
import { type RecordingServer, recordingServer } from '@weir/testing';
import { type Traffic, underTraffic } from '../support/mixed-traffic.js';
import { gatewaysProxy } from '../support/ready-proxy.js';
import { restart } from '../support/restart.js';
import { SecondLogins } from './second-logins.js';

const REPLICAS = 2;
/** `npm run rolling-restart` runs it. It takes minutes, so `npm test` skips it. */
const described = process.env['WEIR_TEST_FULL'] === '1' ? describe : describe.skip;
const LOAD = { requestsPerSecond: 200, settleMs: 120_000 };
const TEST_MS = 600_000;

/** Runs two of every process behind a load balancer that polls `/readyz`. */
described('a rolling restart', () => {
  const stack = useStack({ replicas: REPLICAS, opsPorts: true });
  let hook: RecordingServer;
  let proxy: Awaited<ReturnType<typeof gatewaysProxy>>;

  beforeAll(async () => {
    hook = await recordingServer();
    proxy = await gatewaysProxy(stack().address);
  });

  afterAll(() => Promise.all([proxy.close(), hook.close()]));

  /** Restarts every process in turn. */
  async function restartAll(traffic: Traffic): Promise<void> {
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      for (const name of PROCESSES) {
        traffic.during = `${name} ${replica}`;
        await restart(stack(), name, replica);
        await proxy.untilReady();
      }
    }
  }

  const underLoad = (name: string, work: (traffic: Traffic) => Promise<void>) =>
    underTraffic({ name, stack: stack().address, proxyUrl: proxy.url, hook, ...LOAD }, work);

  it('of each process in turn fails no request and loses no event', () => underLoad('a restart', restartAll), TEST_MS);

  it(
    'may bring new passwords of PostgreSQL and the broker, while both accept two',
    async () => {
      const passwords = await SecondLogins.open(stack());
      try {
        // Not under traffic: a broker that reads its users again forgets who may answer the calls that are under way.
        await passwords.accept();
        await underLoad('new passwords', restartAll);
        await passwords.refuseFirst();
        await underLoad('the second logins alone', restartAll);
      } finally {
        await passwords.close();
      }
    },
    2 * TEST_MS,
  );
});
