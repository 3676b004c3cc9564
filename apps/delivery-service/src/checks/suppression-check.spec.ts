import { describe, expect, it } from '@jest/globals';
import type { RpcClient } from '@weir/messaging';
import type { AnswerLease } from './answer-lease.js';
import { SuppressionCheck } from './suppression-check.js';

const NO_LEASE = { isHeld: false, covers: () => false } as unknown as AnswerLease;

/** A fake regulation service that answers when the test says so. */
function service(suppressed: string[], deleted: { userId: string; until: string }[] = []) {
  const asked: { userIds: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const send = (_call: unknown, { userIds }: { userIds: string[] }) =>
    new Promise((resolve, reject) => {
      const answer = () => resolve({ suppressed: userIds.filter((id) => suppressed.includes(id)), deleted });
      asked.push({ userIds, answer, fail: reject });
    });
  return { asked, check: new SuppressionCheck({ send } as unknown as RpcClient, NO_LEASE) };
}

const of = (userIds: string[], sourceId = 's', receivedAt = '2026-01-02T00:00:00.000Z') => ({
  ...{ workspaceId: 'w', sourceId, userIds, receivedAt },
});

/** Lets queued requests leave. They do so at the end of an event loop turn. */
const turn = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Lets the pause after a request for many events pass. */
async function requests(asked: readonly unknown[], count: number): Promise<void> {
  while (asked.length < count) await turn();
}

describe('SuppressionCheck', () => {
  it('asks once for all that wait, and anew for what came since', async () => {
    const { asked, check } = service(['bad']);
    const first = [check.isSuppressed(of(['u1'])), check.isSuppressed(of(['u2', 'bad']))];
    await turn();
    const later = check.isSuppressed(of(['u1']));
    await turn();
    expect(asked.map(({ userIds }) => userIds)).toEqual([['u1', 'u2', 'bad']]);
    asked[0]?.answer();
    expect(await Promise.all(first)).toEqual([false, true]);
    await requests(asked, 2);
    expect(asked.map(({ userIds }) => userIds)).toEqual([['u1', 'u2', 'bad'], ['u1']]);
    asked[1]?.answer();
    expect(await later).toBe(false);
  });

  it('gathers what comes within a pause after a request for many, and lets an event that is alone ask at once', async () => {
    const { asked, check } = service([]);
    check.floodPauseMs = 500; // must outlast the turns in which the next question comes
    const ask = (...ids: string[]) => ids.map((id) => check.isSuppressed(of([id])));
    const many = ask('u1', 'u2');
    await turn();
    asked[0]?.answer();
    await Promise.all(many);
    const gathered = [...ask('u3'), ...(await turn().then(() => ask('u4')))];
    await requests(asked, 2);
    asked[1]?.answer();
    await Promise.all(gathered);
    const [alone] = ask('u5');
    await requests(asked, 3);
    asked[2]?.answer();
    await alone;
    const [next] = ask('u6');
    await turn();
    expect(asked.map(({ userIds }) => userIds)).toEqual([['u1', 'u2'], ['u3', 'u4'], ['u5'], ['u6']]);
    asked[3]?.answer();
    await next;
  });

  it('asks about a thousand ids at a time, and answers every caller', async () => {
    const { asked, check } = service(['n1500']);
    const all = Array.from({ length: 1_100 }, (_, n) => check.isSuppressed(of([`n${2 * n}`, `n${2 * n + 1}`])));
    for (let request = 0; request < 3; request += 1) {
      await turn();
      asked[request]?.answer();
    }
    const answers = await Promise.all(all);
    expect(asked.map(({ userIds }) => userIds.length)).toEqual([1_000, 1_000, 200]);
    expect(answers.flatMap((isSuppressed, n) => (isSuppressed ? [n] : []))).toEqual([750]);
  });

  it('asks about as many long ids as fit, and about a very long one alone', async () => {
    const { asked, check } = service(['long-9']);
    const long = Array.from({ length: 10 }, (_, n) => `long-${n}`.padEnd(100_000, '"'));
    const all = [...long, 'x'.repeat(500_000), 'u'].map((id) => check.isSuppressed(of([id])));
    for (let request = 0; request < all.length; request += 1) {
      await turn();
      asked[request]?.answer();
    }
    expect(await Promise.all(all)).toHaveLength(12);
    const bytes = asked.map(({ userIds }) => Buffer.byteLength(JSON.stringify(userIds)));
    expect(bytes.filter((size) => size > 260_000)).toEqual([500_004]);
  });

  it('keeps sources apart', async () => {
    const { asked, check } = service([]);
    const both = [check.isSuppressed(of(['u'], 's1')), check.isSuppressed(of(['u'], 's2'))];
    await turn();
    expect(asked).toHaveLength(2);
    for (const { answer } of asked) answer();
    expect(await Promise.all(both)).toEqual([false, false]);
  });

  it('refuses what came in before its user was deleted, and nothing of later', async () => {
    const { asked, check } = service([], [{ userId: 'u', until: '2026-01-02T00:00:00.000Z' }]);
    const times = ['2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.001Z'];
    const all = times.map((receivedAt) => check.isSuppressed(of(['u'], 's', receivedAt)));
    await turn();
    asked[0]?.answer();
    expect(await Promise.all(all)).toEqual([true, true, false]);
  });

  it('counts the intake of an event that is sent again, and not the replay', async () => {
    const { asked, check } = service([], [{ userId: 'u', until: '2026-01-02T00:00:00.000Z' }]);
    const replayed = of(['u'], 's', '2026-01-03T00:00:00.000Z');
    const intakes = ['2026-01-01T00:00:00.000Z', '2026-01-02T12:00:00.000Z'];
    const all = intakes.map((receivedAt) => check.isSuppressed({ ...replayed, replay: { receivedAt } }));
    await turn();
    asked[0]?.answer();
    expect(await Promise.all(all)).toEqual([true, false]);
  });

  it('says so when nobody answers, and asks again next time', async () => {
    const { asked, check } = service(['u']);
    const failed = check.isSuppressed(of(['u']));
    await turn();
    asked[0]?.fail(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    const next = check.isSuppressed(of(['u']));
    await turn();
    asked[1]?.answer();
    expect(await next).toBe(true);
  });

  it('learns nothing without a lease, because it may not use it', async () => {
    const { asked, check } = service([]);
    await check.learn([of(['u'])]);
    expect(asked).toEqual([]);
  });

  it('has nothing to ask for an event of nobody', async () => {
    const { asked, check } = service([]);
    expect(await check.isSuppressed(of([]))).toBe(false);
    expect(asked).toEqual([]);
  });
});
