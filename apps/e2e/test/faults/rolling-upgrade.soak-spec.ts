import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { DEFAULT_APPS_DIR, type LocalStack, launchStack, removeStack } from '@weir/local';
import { type RecordingServer, recordingServer, until } from '@weir/testing';
import { restart } from '../support/restart.js';
import { appsOf, BUILD_MS, releaseBefore } from './release-before.js';
import { collected, countsOf, delivered, pipeline, Sender } from './traffic.js';

const BEFORE = releaseBefore();
const EVENT = 'Sent during the upgrade';
/** Two, so that each process runs beside one of the other release for a while. */
const REPLICAS = 2;
/** Twenty events a second meet every process at any moment, and leave the machine to those that start. */
const SENDING_S = 0.2;
const PAUSE_MS = 800;
const START_MS = 180_000;
const SETTLE_MS = 180_000;
const ROLL_MS = 1_800_000;

/** Where the launcher looks for the apps. The link leads to the release before, and then to this one. */
const links = mkdtempSync(join(tmpdir(), 'weir-rolling-'));
const apps = join(links, 'apps');
let hook: RecordingServer;
let stack: LocalStack | undefined;
let remove: (() => Promise<void>) | undefined;

beforeAll(async () => {
  hook = await recordingServer();
  if (!BEFORE) return;
  const before = await appsOf(BEFORE);
  remove = before.remove;
  pointTo(before.apps);
  stack = await launchStack({ appsDir: apps, replicas: REPLICAS });
}, BUILD_MS + START_MS);

afterAll(async () => {
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
async function upgrade(running: LocalStack): Promise<void> {
  pointTo(DEFAULT_APPS_DIR);
  await running.migrate();
  for (const name of PROCESSES) {
    for (let replica = 0; replica < REPLICAS; replica += 1) await restart(running, name, replica);
  }
}

const title = 'an upgrade of a running stack delivers and counts every event that was accepted, once';
(BEFORE ? it : it.skip)(
  title,
  async () => {
    if (!stack) throw new Error('the release before runs once beforeAll has run');
    const { address } = stack;
    const { writeKey } = await pipeline(address, hook, 'rolling upgrade');
    const sender = new Sender(address, writeKey);
    let isUpgraded = false;
    const upgrading = upgrade(stack).finally(() => {
      isUpgraded = true;
    });
    while (!isUpgraded) {
      await sender.sendFor(EVENT, SENDING_S);
      await sleep(PAUSE_MS);
    }
    await upgrading;
    await sender.sendFor(EVENT, 1);
    await sender.settled();

    const wanted = countsOf(sender.acknowledged);
    const arrived = () => delivered(hook).get(EVENT)?.size === wanted[EVENT];
    await until('every event to arrive', arrived, SETTLE_MS).catch(() => undefined); // the next line shows how many arrived
    expect(countsOf(delivered(hook))).toEqual(wanted);
    const counted = async () => (await collected(address, writeKey))[EVENT] ?? 0;
    await until('every event to be counted', async () => (await counted()) >= (wanted[EVENT] ?? 0), SETTLE_MS);
    expect(await collected(address, writeKey)).toEqual(wanted);
  },
  ROLL_MS + 3 * SETTLE_MS,
);
