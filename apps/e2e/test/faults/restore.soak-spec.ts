import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { api, type RecordingServer, recordingServer, until } from '@weir/testing';
import { backUp } from '../support/online-backup.js';
import { collected, delivered, pipeline, Sender } from '../support/traffic.js';

/** A start of a stack on a busy machine. */
const START_MS = 180_000;
const BEFORE = 'Before the backup';
const DURING = 'During the backup';
const LATER = 'After the restore';

/**
 * The restore drill of docs/recovery.md: a backup that is taken under load, a stack that starts from it, and one whose broker
 * lost its disk.
 */
describe('after a loss', () => {
  const folders: string[] = [];
  let hook: RecordingServer;
  let stack: LocalStack;
  let sender: Sender;
  let keys: Awaited<ReturnType<typeof pipeline>>;
  let before: Awaited<ReturnType<typeof kept>>;

  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'weir-restore-'));
    folders.push(path);
    return path;
  };
  const client = () => api(stack.address);
  /** Settings that people entered. No loss of the broker may touch them. */
  const kept = async () => {
    const { body: code } = await client().get('/transformations');
    const { body: regulations } = await client().get('/v2/regulations');
    const { body: sources } = await client().get('/v2/sources');
    const { body: destinations } = await client().get('/v2/destinations');
    return { code, regulations, sources, destinations };
  };
  const sendAs = (userId: string, event: string) =>
    api(stack.address, { writeKey: keys.writeKey }).post('/v1/track', { userId, event });
  const counted = async (event: string) => (await collected(stack.address, keys.writeKey))[event] ?? 0;
  const arrived = (event: string) => delivered(hook).get(event)?.size ?? 0;
  const acknowledged = (event: string) => sender.acknowledged.get(event)?.size ?? 0;

  beforeAll(async () => {
    hook = await recordingServer();
    stack = await launchStack();
    keys = await pipeline(stack.address, hook, 'restored');
    const regulation = { regulationType: 'suppress', users: [{ userId: 'gone' }] };
    expect((await client().post('/v2/regulations', regulation)).status).toBeLessThan(300);
    sender = new Sender(stack.address, keys.writeKey);
    await sender.sendFor(BEFORE, 1);
    await sender.settled();
    await until('all to be counted', async () => (await counted(BEFORE)) === acknowledged(BEFORE));
    before = await kept();
  }, START_MS);

  afterAll(async () => {
    await removeStack(stack);
    await hook.close();
    for (const path of folders) rmSync(path, { recursive: true, force: true });
  });

  /** Code runs on new events, the regulation holds, and counting is exact. */
  const worksOn = async (event: string) => {
    sender = new Sender(stack.address, keys.writeKey);
    await sendAs('gone', event);
    await sender.sendFor(event, 1);
    await sender.settled();
    await until('all to arrive', () => arrived(event) === acknowledged(event));
    await until('all to be counted', async () => (await counted(event)) === acknowledged(event));
    const payloads = hook.requests.map(({ json }) => json as { event: string; userId: string; passed?: boolean });
    const own = payloads.filter((payload) => payload.event === event);
    expect(own.every(({ passed }) => passed)).toBe(true);
    expect(own.map(({ userId }) => userId)).not.toContain('gone');
  };

  it(
    'of everything but a backup, code, regulations, keys and counts are as they were then',
    async () => {
      const saved = folder();
      const sending = sender.sendFor(DURING, 2);
      await backUp(stack.address, saved);
      await sending;
      await sender.settled();
      await client().post('/v2/sources', { name: 'after the backup', type: 'HTTP', enabled: true });
      await removeStack(stack);

      stack = await launchStack({ dataDir: saved });
      expect(await kept()).toEqual(before);
      expect(await counted(BEFORE)).toBe(acknowledged(BEFORE));
      expect(await counted(DURING)).toBeLessThanOrEqual(acknowledged(DURING));
      await worksOn(LATER);
      expect(await counted(BEFORE)).toBe(100);
    },
    2 * START_MS,
  );

  it(
    "of the broker's disk, nothing that the database holds is lost",
    async () => {
      const { dataDir } = stack.address;
      await stack.stop();
      rmSync(join(dataDir, 'nats'), { recursive: true });
      stack = await launchStack({ dataDir });
      expect(await kept()).toEqual(before);
      expect(await counted(LATER)).toBe(100);
      await worksOn("After the broker's disk was lost");
    },
    2 * START_MS,
  );

  it(
    "of the database's last seconds, the broker still has what was not delivered",
    async () => {
      const waiting = 'Waits for its destination';
      const saved = folder();
      await backUp(stack.address, saved);
      hook.answer({ status: 503 });
      sender = new Sender(stack.address, keys.writeKey);
      await sender.sendFor(waiting, 1);
      await sender.settled();
      await until('the destination to be asked', () => arrived(waiting) > 0);
      const { dataDir } = stack.address;
      await stack.stop();
      rmSync(join(dataDir, 'postgres'), { recursive: true });
      renameSync(join(saved, 'postgres'), join(dataDir, 'postgres'));
      hook.clear();
      hook.answer({});
      stack = await launchStack({ dataDir });
      await until('all to arrive', () => arrived(waiting) === acknowledged(waiting));
      expect(await counted(waiting)).toBeLessThanOrEqual(acknowledged(waiting));
      await worksOn("After the database's last seconds were lost");
    },
    2 * START_MS,
  );
});
