import { describe, expect, it } from '@jest/globals';
import type { RpcClient } from '@weir/messaging';
import { SuppressionCheck } from './suppression-check.js';

/** A regulation service that answers when it is told to. */
function service(suppressed: string[]) {
  const asked: { userIds: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const send = (_call: unknown, { userIds }: { userIds: string[] }) =>
    new Promise((resolve, reject) => {
      const answer = () => resolve({ suppressed: userIds.filter((id) => suppressed.includes(id)) });
      asked.push({ userIds, answer, fail: reject });
    });
  return { asked, check: new SuppressionCheck({ send } as unknown as RpcClient) };
}

/** Questions leave with the turn of the event loop in which they were asked. */
const turn = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

describe('SuppressionCheck', () => {
  it('asks once for all that wait, and anew for what came since', async () => {
    const { asked, check } = service(['bad']);
    const first = [check.isSuppressed('w', 's', ['u1']), check.isSuppressed('w', 's', ['u2', 'bad'])];
    await turn();
    const later = check.isSuppressed('w', 's', ['u1']);
    await turn();
    expect(asked.map(({ userIds }) => userIds)).toEqual([['u1', 'u2', 'bad']]);
    asked[0]?.answer();
    expect(await Promise.all(first)).toEqual([false, true]);
    await turn();
    expect(asked.map(({ userIds }) => userIds)).toEqual([['u1', 'u2', 'bad'], ['u1']]);
    asked[1]?.answer();
    expect(await later).toBe(false);
  });

  it('keeps sources apart', async () => {
    const { asked, check } = service([]);
    const both = [check.isSuppressed('w', 's1', ['u']), check.isSuppressed('w', 's2', ['u'])];
    await turn();
    expect(asked).toHaveLength(2);
    for (const { answer } of asked) answer();
    expect(await Promise.all(both)).toEqual([false, false]);
  });

  it('says so when nobody answers, and asks again next time', async () => {
    const { asked, check } = service(['u']);
    const failed = check.isSuppressed('w', 's', ['u']);
    await turn();
    asked[0]?.fail(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    const next = check.isSuppressed('w', 's', ['u']);
    await turn();
    asked[1]?.answer();
    expect(await next).toBe(true);
  });

  it('has nothing to ask for an event of nobody', async () => {
    const { asked, check } = service([]);
    expect(await check.isSuppressed('w', 's', [])).toBe(false);
    expect(asked).toEqual([]);
  });
});
