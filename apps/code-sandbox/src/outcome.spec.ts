import { describe, expect, it } from '@jest/globals';
import { isDeeperThan, replyOf } from './outcome.js';
import type { ChildAnswer } from './protocol.js';

const answer = (part: Partial<ChildAnswer>): ChildAnswer => ({ id: 1, logs: [], spent: false, ...part });
const results = (...list: unknown[]) => JSON.stringify({ results: list, strays: [] });
const ok = { status: 'ok', outputs: [{ a: 1 }] };

describe('replyOf', () => {
  it('passes on what is as agreed', () => {
    const reply = replyOf(
      answer({
        resultsJson: results(ok, { status: 'dropped' }, { status: 'error', text: 'Error: x' }),
        logs: ['Log: a'],
      }),
      3,
    );
    expect(reply).toEqual({
      results: [ok, { status: 'dropped' }, { status: 'error', error: { message: 'Error: x' } }],
      logs: ['Log: a'],
    });
  });

  it.each([
    ['no JSON', 'x'],
    ['another shape', '{"results":{}}'],
    ['results of another number', results(ok)],
    ['outputs that are no objects', results(ok, { status: 'ok', outputs: [1] })],
    ['a status that nobody knows', results(ok, { status: 'great' })],
  ])('fails every event when the child answers %s', (_what, resultsJson) => {
    const { results: found } = replyOf(answer({ resultsJson }), 2);
    expect(found).toMatchObject([{ status: 'error' }, { status: 'error' }]);
  });

  it('takes an event without outputs as dropped', () => {
    expect(replyOf(answer({ resultsJson: results({ status: 'ok', outputs: [] }) }), 1).results).toEqual([
      { status: 'dropped' },
    ]);
  });
});

it('isDeeperThan counts levels without recursion', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(isDeeperThan(deep, 200)).toBe(true);
  expect(isDeeperThan({ a: [{}] }, 3)).toBe(false);
  expect(isDeeperThan({ a: [{}] }, 2)).toBe(true);
});
