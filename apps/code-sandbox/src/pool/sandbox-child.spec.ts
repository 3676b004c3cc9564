import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { ChildListener } from '../host/child-host.js';
import { FETCHES_PER_RUN_MAX, FRAME_BYTES_MAX } from '../limits.js';
import { FrameReader, frameOf } from '../wire/frames.js';
import type { FetchAsk, FullTask } from '../wire/protocol.js';
import { SandboxChild } from './sandbox-child.js';

const TASK: FullTask = {
  id: 7,
  action: 'run',
  digest: 'd',
  bundle: { key: 'k', name: 'n', code: '', libraries: [] },
  groups: [[]],
  isPartial: false,
  collectLogs: false,
  allowFetch: true,
  credentials: [],
  limitMs: 60_000,
};

/** A child that sends anything it likes, as after an escape from the isolate. */
async function rogue() {
  const [ours, theirs] = duplexPair();
  let listener: ChildListener | undefined;
  let ready: () => void = () => undefined;
  const isReady = new Promise<void>((done) => {
    ready = done;
  });
  const child = new SandboxChild(
    {
      start: (_memoryMb, given) => {
        listener = given;
        return { kill: () => listener?.ended('SIGKILL', '') };
      },
      close: () => undefined,
    },
    16,
    { ready, gone: () => undefined },
  );
  listener?.connected(ours as unknown as Socket);
  const say = (head: object) => theirs.write(frameOf(head));
  say({ type: 'ready' });
  await isReady;
  const got: unknown[] = [];
  const reader = new FrameReader(FRAME_BYTES_MAX, (head) => got.push(head));
  theirs.on('data', (chunk: Buffer) => reader.push(chunk));
  const asked: FetchAsk[] = [];
  const perform = (task: Partial<FullTask> = {}) =>
    child.perform({ ...TASK, ...task }, [], (ask) => {
      asked.push(ask);
      return Promise.resolve({ type: 'fetched', task: ask.task, call: ask.call });
    });
  return { perform, say, asked, got };
}

const ask = (call: number, task = TASK.id) => ({
  type: 'fetch',
  task,
  call,
  url: 'https://h/',
  method: 'GET',
  headers: {},
});

describe('a child that asks for more than it may', () => {
  it('is ended, and nothing of it is passed on', async () => {
    const { perform, say, asked } = await rogue();
    const performed = perform();
    for (let call = 1; call <= 20_000; call += 1) say(ask(call));
    expect(await performed).toMatchObject({ spent: true, failure: { cause: 'thrown' } });
    expect(asked).toHaveLength(FETCHES_PER_RUN_MAX);
  });

  it.each([
    ['for another task', {}, ask(1, TASK.id - 1)],
    ['where it may not ask at all', { allowFetch: false }, ask(1)],
  ])('%s: is ended', async (_what, task, asking) => {
    const { perform, say, asked } = await rogue();
    const performed = perform(task);
    say(asking);
    expect(await performed).toMatchObject({ spent: true });
    expect(asked).toEqual([]);
  });
});

describe('a child that ran the code before', () => {
  it('does not get it again', async () => {
    const { perform, say, got } = await rogue();
    for (const digest of ['one', 'two', 'one']) {
      const performed = perform({ digest });
      say({ id: TASK.id, logs: [], spent: false });
      await performed;
    }
    const expected = [
      { digest: 'one', bundle: TASK.bundle },
      { digest: 'two', bundle: TASK.bundle },
      { digest: 'one' },
    ];
    expect(got).toEqual(expected.map((each) => ({ ...TASK, bundle: undefined, ...each })));
  });
});
