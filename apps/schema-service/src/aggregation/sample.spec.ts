import { expect, it } from '@jest/globals';
import { SAMPLE_BYTES_MAX, SAMPLES_MAX } from './limits.js';
import { EventSample, withoutSampled } from './sample.js';

it('holds everything while that fits, then a fixed number', () => {
  const sample = new EventSample();
  for (let at = 0; at < SAMPLES_MAX; at += 1) sample.offer({ at });
  expect(
    sample
      .list()
      .map(({ at }) => at)
      .sort(),
  ).toEqual([0, 1, 2, 3, 4]);
  for (let at = 5; at < 1_000; at += 1) sample.offer({ at });
  expect(sample.list()).toHaveLength(SAMPLES_MAX);
});

it('leaves out what is too large', () => {
  const sample = new EventSample();
  const fits = { text: 'x'.repeat(SAMPLE_BYTES_MAX - 11) };
  sample.offer({ text: 'x'.repeat(SAMPLE_BYTES_MAX - 10) });
  sample.offer(fits);
  expect(sample.list()).toEqual([fits]);
});

it('gives every event the same chance, also over flushes of unequal size', () => {
  const events = 40;
  const rounds = 6_000;
  const chosen = new Array<number>(events).fill(0);
  for (let round = 0; round < rounds; round += 1) {
    const whole = new EventSample();
    for (const [from, to] of [
      [0, 3],
      [3, 30],
      [30, 40],
    ] as const) {
      const part = new EventSample();
      for (let at = from; at < to; at += 1) part.offer({ at });
      whole.merge(EventSample.decode(part.encode()));
    }
    for (const { at } of whole.list()) chosen[at as number] = (chosen[at as number] ?? 0) + 1;
  }
  const expected = (rounds * SAMPLES_MAX) / events; // 750, standard deviation 26
  for (const count of chosen) expect(Math.abs(count - expected)).toBeLessThan(6 * 26);
});

it('forgets the events that it is told to', () => {
  const sample = new EventSample();
  for (const userId of ['u1', 'u2', 'u1']) sample.offer({ userId });
  expect(withoutSampled(sample.encode(), ({ userId }) => userId === 'u3')).toBeUndefined();
  const left = withoutSampled(sample.encode(), ({ userId }) => userId === 'u1');
  expect(EventSample.decode(left ?? '').list()).toEqual([{ userId: 'u2' }]);
});
