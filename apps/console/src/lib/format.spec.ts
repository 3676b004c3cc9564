import { expect, it } from '@jest/globals';
import { ago, bytes, count, exact, exactClock, milliseconds, plural, share } from './format.js';

it('never rounds something to nothing or to everything', () => {
  expect([share(0, 0), share(1, 100_000), share(99_999, 100_000), share(1, 8)]).toEqual([
    '–',
    '<0.1%',
    '>99.9%',
    '12.5%',
  ]);
});

it('names quantities as people do', () => {
  expect([plural(1, 'event'), plural(1_234, 'event'), bytes(1_536), milliseconds(90), milliseconds(1_500)]).toEqual([
    '1 event',
    '1,234 events',
    '1.5 KB',
    '90 ms',
    '1.5 s',
  ]);
});

it('tells how long ago by the largest unit that fits', () => {
  const now = new Date('2026-01-01T12:00:00Z');
  const texts = ['2026-01-01T11:59:58Z', '2026-01-01T09:30:00Z', '2025-12-30T12:00:00Z'].map((at) =>
    ago(new Date(at), now),
  );
  expect(texts.map((text) => text.replace(/[^0-9]/g, ''))).toEqual(['2', '2', '2']);
});

it('shortens large numbers, but not those that are compared', () => {
  expect([count(99_999), count(200_000), exact(200_000)]).toEqual(['99,999', '200K', '200,000']);
});

it('tells events of one second apart', () => {
  const [one, other] = ['2026-01-01T12:00:00.007Z', '2026-01-01T12:00:00.812Z'].map((at) => exactClock(new Date(at)));
  expect(one).toMatch(/00\D007/);
  expect(other).toMatch(/00\D812/);
});
