import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { DEFAULT_APPS_DIR, type LocalStack, launchStack, removeStack } from '@weir/local';
import { type RecordingServer, recordingServer } from '@weir/testing';
import { type Traffic, underTraffic } from '../support/mixed-traffic.js';
import { gatewaysProxy } from '../support/ready-proxy.js';
import { restart } from '../support/restart.js';
import { appsOf, BUILD_MS, releaseBefore } from './release-before.js';

const BEFORE = releaseBefore();
/** Two, so that each process runs beside one of the other release for a while. */
const REPLICAS = 2;
/** Half of them are events. They meet every process at any moment, and leave the machine to those that start. */
const LOAD = { requestsPerSecond: 40, settleMs: 180_000 };
const START_MS = 180_000;
type Balancer = Awaited<ReturnType<typeof gatewaysProxy>>;
const ROLL_MS = 1_800_000;

/** Where the launcher looks for the apps. The link leads to the release before, and then to this one. */
const links = mkdtempSync(join(tmpdir(), 'weir-rolling-'));
const apps = join(links, 'apps');
let hook: RecordingServer;
let proxy: Balancer | undefined;
let stack: LocalStack | undefined;
let remove: (() => Promise<void>) | undefined;

beforeAll(async () => {
  hook = await recordingServer();
  if (!BEFORE) return;
  const before = await appsOf(BEFORE);
  remove = before.remove;
  pointTo(before.apps);
  stack = await launchStack({ appsDir: apps, replicas: REPLICAS, opsPorts: true });
  proxy = await gatewaysProxy(stack.address);
}, BUILD_MS + START_MS);

afterAll(async () => {
  await proxy?.close();
  if (stack) await removeStack(stack);
  await Promise.all([hook.close(), remove?.()]);
  rmSync(links, { recursive: true });
}, START_MS);

/** In one step, so that a process that starts meanwhile finds one of the two. */
function pointTo(folder: string): void {
  symlinkSync(folder, `${apps}.next`);
  renameSync(`${apps}.next`, apps);
}

/** As Helm does it: the migrations first, and then one process after the other, while the others go on. */
async function upgrade(running: LocalStack, balancer: Balancer, traffic: Traffic): Promise<void> {
  pointTo(DEFAULT_APPS_DIR);
  traffic.during = 'migrations';
  await running.migrate();
  for (const name of PROCESSES) {
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      traffic.during = `${name} ${replica}`;
      await restart(running, name, replica);
      await balancer.untilReady();
    }
  }
}

(BEFORE ? it : it.skip)(
  'an upgrade of a running stack fails no request, and delivers and counts every event once',
  async () => {
    if (!stack || !proxy) throw new Error('the release before runs once beforeAll has run');
    const [running, balancer] = [stack, proxy];
    const load = { name: 'an upgrade', stack: running.address, proxyUrl: balancer.url, hook, ...LOAD };
    await underTraffic(load, (traffic) => upgrade(running, balancer, traffic));
  },
  ROLL_MS + 3 * LOAD.settleMs,
);
