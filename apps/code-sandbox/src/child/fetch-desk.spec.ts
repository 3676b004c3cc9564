import { describe, expect, it } from '@jest/globals';
import { FETCH_REQUEST_BYTES_MAX, FETCHES_PER_RUN_MAX } from '../limits.js';
import type { FetchAsk } from '../wire/protocol.js';
import { FetchDesk } from './fetch-desk.js';

const ask = (call: number) => ({ call, url: 'https://host.example/', method: 'GET', headers: {} });
const asks = (count: number, from = 1) => JSON.stringify(Array.from({ length: count }, (_, n) => ask(from + n)));

/** Carries the given guest outputs in turn, and answers every call immediately. */
function carried(shown: string[]) {
  const sent: FetchAsk[] = [];
  const desk: FetchDesk = new FetchDesk((one) => {
    sent.push(one);
    desk.receive({ type: 'fetched', task: one.task, call: one.call, error: 'no' });
  });
  const take = async () => shown.shift() ?? '[]';
  return { sent, done: desk.carry({ task: 1, take, settle: async () => undefined, waitMs: 60_000 }) };
}

describe('FetchDesk', () => {
  it('passes on what one run may call', async () => {
    const { sent, done } = carried([asks(FETCHES_PER_RUN_MAX - 1), asks(1, FETCHES_PER_RUN_MAX)]);
    await done;
    expect(sent).toHaveLength(FETCHES_PER_RUN_MAX);
  });

  it.each([
    ['more calls than a run has', [asks(20_000)]],
    ['more calls than are left', [asks(FETCHES_PER_RUN_MAX), asks(1, 11)]],
    [
      'more text than calls can have',
      [`[${JSON.stringify('x'.repeat(FETCHES_PER_RUN_MAX * FETCH_REQUEST_BYTES_MAX + 100))}]`],
    ],
  ])('passes on nothing of %s', async (_what, shown) => {
    const { sent, done } = carried(shown);
    await expect(done).rejects.toThrow(/fetch calls/);
    expect(sent.length).toBeLessThanOrEqual(FETCHES_PER_RUN_MAX);
  });
});
