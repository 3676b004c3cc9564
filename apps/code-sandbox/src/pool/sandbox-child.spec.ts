import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { ChildListener } from '../host/child-host.js';
import { FETCHES_PER_RUN_MAX } from '../limits.js';
import { frameOf } from '../wire/frames.js';
import type { ChildTask, FetchAsk } from '../wire/protocol.js';
import { SandboxChild } from './sandbox-child.js';

const TASK: ChildTask = {
  id: 7,
  action: 'run',
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
  const asked: FetchAsk[] = [];
  const perform = (task: Partial<ChildTask> = {}) =>
    child.perform({ ...TASK, ...task }, [], (ask) => {
      asked.push(ask);
      return Promise.resolve({ type: 'fetched', task: ask.task, call: ask.call });
    });
  return { perform, say, asked };
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
