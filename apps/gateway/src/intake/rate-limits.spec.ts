import { describe, expect, it } from '@jest/globals';
import { type Amount, RateLimits } from './rate-limits.js';

const source = (id = 'S', workspaceId = 'W') => ({ id, workspaceId });

const NO_LIMIT: Amount = { events: 1e9, bytes: 1e9 };
const ONE: Amount = { events: 1, bytes: 1 };

const limitsOf = (ofSource: Partial<Amount>, ofWorkspace: Partial<Amount> = {}) =>
  new RateLimits({ source: { ...NO_LIMIT, ...ofSource }, workspace: { ...NO_LIMIT, ...ofWorkspace } });

/** The status of each spending, given its time and number of events. */
function outcomes(perSecond: number, spendings: [atMs: number, events: number][]) {
  const limits = limitsOf({ events: perSecond });
  const one = source();
  return spendings.map(([at, events]) => {
    try {
      return limits.spend(one, { events, bytes: 1 }, at)['ratelimit-remaining'];
    } catch (error) {
      return error;
    }
  });
}
const refusal = (headers: object) =>
  expect.objectContaining({ status: 429, headers: expect.objectContaining(headers) });

describe('RateLimits', () => {
  it('takes a second of events at once, and then as many as come back', () => {
    expect(
      outcomes(10, [
        [0, 4],
        [0, 6],
        [0, 1],
        [100, 1],
        [100, 1],
        [5_000, 1],
      ]),
    ).toEqual(['6', '0', refusal({ 'retry-after': '1', 'ratelimit-remaining': '0' }), '0', refusal({}), '9']);
  });

  it('takes a batch of any size when something is left, and makes the next wait for it', () => {
    expect(
      outcomes(10, [
        [0, 35],
        [1_000, 1],
        [2_400, 1],
        [2_600, 1],
      ]),
    ).toEqual(['0', refusal({ 'retry-after': '2' }), refusal({ 'retry-after': '1' }), '0']);
  });

  it('is not mistaken when the clock goes back', () => {
    expect(
      outcomes(10, [
        [1_000, 10],
        [0, 1],
        [1_000, 1],
      ])[1],
    ).toEqual(refusal({}));
  });

  it('keeps sources apart, and says its policy', () => {
    const limits = limitsOf({ events: 1 });
    const [one, other] = [source('one'), source('other')];
    limits.spend(one, ONE, 0);
    expect(() => limits.spend(one, ONE, 0)).toThrow('max requests limit reached');
    expect(limits.spend(other, ONE, 0)).toEqual({
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
      'ratelimit-policy': '1;w=1',
    });
  });

  it('limits bytes in the same way', () => {
    const limits = limitsOf({ bytes: 1_000 });
    const one = source();
    limits.spend(one, { events: 1, bytes: 3_500 }, 0);
    expect(() => limits.spend(one, ONE, 1_000)).toThrow('max requests limit reached');
    expect(() => limits.spend(one, ONE, 2_600)).not.toThrow();
  });

  it('limits all sources of a workspace together, and no other workspace', () => {
    const limits = limitsOf({}, { events: 2 });
    limits.spend(source('one'), ONE, 0);
    limits.spend(source('other'), ONE, 0);
    expect(() => limits.check(source('third'), 0)).toThrow(refusal({ 'ratelimit-limit': '2', 'retry-after': '1' }));
    expect(() => limits.spend(source('third'), ONE, 0)).toThrow('max requests limit reached');
    expect(() => limits.spend(source('one', 'other workspace'), ONE, 0)).not.toThrow();
  });

  it('gives nothing back to a source that was changed', () => {
    const limits = limitsOf({ events: 1 });
    limits.spend(source(), ONE, 0);
    expect(() => limits.check({ ...source() }, 0)).toThrow('max requests limit reached');
  });

  it('checks without spending', () => {
    const limits = limitsOf({ events: 1 });
    const one = source();
    for (let n = 0; n < 3; n += 1) limits.check(one, 0);
    limits.spend(one, ONE, 0);
    expect(() => limits.check(one, 0)).toThrow('max requests limit reached');
  });
});
