import { describe, expect, it } from '@jest/globals';
import type { Outbound } from '../kind.js';
import { Kept } from './connection.js';

const refuse = () => Promise.reject(new Error('not used'));
const NO_OUTBOUND: Outbound = { request: refuse, connect: refuse };

function connections() {
  const ended: number[] = [];
  const lost: (() => void)[] = [];
  let opened = 0;
  const kept = new Kept(
    NO_OUTBOUND,
    async (_line, onLost) => {
      lost.push(onLost);
      opened += 1;
      return opened;
    },
    async (connection) => void ended.push(connection),
  );
  return { kept, ended, lost };
}

describe('a kept connection', () => {
  it('is opened once for all who ask', async () => {
    const { kept } = connections();
    expect(await Promise.all([kept.get(), kept.get()])).toEqual([1, 1]);
    expect(await kept.get()).toBe(1);
  });

  it('is opened again after a loss and after it was dropped', async () => {
    const { kept, ended, lost } = connections();
    await kept.get();
    lost[0]?.();
    expect(await kept.get()).toBe(2);
    await kept.drop();
    expect(await kept.get()).toBe(3);
    expect(ended).toEqual([2]);
  });

  it('stays when an earlier one ends late', async () => {
    const { kept, ended, lost } = connections();
    await kept.get();
    await kept.drop();
    await kept.get();
    lost[0]?.();
    expect(await kept.get()).toBe(2);
    await kept.close();
    expect(ended).toEqual([1, 2]);
  });

  it('is tried again when it could not be opened', async () => {
    let tries = 0;
    const kept = new Kept(
      NO_OUTBOUND,
      () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('not now')) : Promise.resolve(tries);
      },
      () => Promise.reject(new Error('gone already')),
    );
    await expect(kept.get()).rejects.toThrow('not now');
    expect(await kept.get()).toBe(2);
    await kept.close();
    await kept.close();
    await expect(kept.get()).rejects.toThrow('closed');
  });
});
