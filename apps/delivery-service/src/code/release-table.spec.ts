import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DestinationRelease } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { Health } from '@weir/service-kit';
import { ReleaseTable } from './release-table.js';

let table: ReleaseTable | undefined;
// The table also asks when a clock comes round, which a busy machine would reach within a test.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => {
  table?.onModuleDestroy();
  jest.useRealTimers();
});

const release = (destinationId: string, number: number) => ({ destinationId, release: number }) as DestinationRelease;

/** A fake registry that returns the given pages. A string becomes an error. */
function tableOf(pages: (DestinationRelease[] | string)[]) {
  const asked: number[] = [];
  const facts: (() => void)[] = [];
  const send = async (_call: unknown, { after }: { after: number }) => {
    asked.push(after);
    const page = pages.shift() ?? [];
    if (typeof page === 'string') throw new Error(page);
    return { releases: page, more: pages.length > 0 && typeof pages[0] !== 'string' };
  };
  const subscribe = (_subject: string, { callback }: { callback: () => void }) => {
    facts.push(callback);
    return { unsubscribe: () => undefined };
  };
  const [nats, rpc] = [{ subscribe } as unknown as NatsConnection, { send } as unknown as RpcClient];
  const made = new ReleaseTable(nats, rpc, new Health());
  table = made;
  made.onApplicationBootstrap();
  return { table: made, asked, tell: () => facts[0]?.() };
}

/** Lets a poll finish. A poll takes promises but no time. */
const turn = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

it('is loaded when every page is there, and asks on behind the greatest number', async () => {
  const { table, asked } = tableOf([[release('a', 3), release('b', 5)], [release('c', 9)]]);
  await table.loaded;
  expect(asked).toEqual([0, 5]);
  expect([table.get('a')?.release, table.get('c')?.release, table.get('x')]).toEqual([3, 9, undefined]);
});

it('ignores a number that is older than one it has seen', async () => {
  const { table } = tableOf([[release('a', 7), release('a', 4)]]);
  await table.loaded;
  expect(table.get('a')?.release).toBe(7);
});

it('asks at once when it hears of a release, also while it is asking', async () => {
  const { table, asked, tell } = tableOf([[release('a', 1)]]);
  tell();
  await table.loaded;
  await turn();
  expect(asked).toEqual([0, 1]);
  tell();
  await turn();
  expect(asked).toEqual([0, 1, 1]);
});

it('keeps what it knows while the registry is away, and goes on afterwards', async () => {
  const { table, asked, tell } = tableOf([[release('a', 1)], 'away', [release('a', 2)]]);
  await table.loaded;
  tell();
  await turn();
  expect(table.get('a')?.release).toBe(1);
  tell();
  await turn();
  expect(table.get('a')?.release).toBe(2);
  expect(asked).toEqual([0, 1, 1]);
});
