import { expect, it } from '@jest/globals';
import { BYTES_MAX, interrupted, opened, paused, ROWS_MAX, type Row, START, shownRows, withRows } from './buffer.js';

const row = (key: number, more: Partial<Row> = {}): Row => ({ key, at: '', outcome: 'accepted', ...more });
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(from + count - 1 - at));

it('finds the outcomes of the events of a user, which name no user themselves', () => {
  const accepted = { messageId: 'm1', event: { userId: 'Ada' } };
  const all = [
    row(4, { outcome: 'dead', messageId: 'm1', reason: 'HTTP 422' }),
    row(3, { outcome: 'delivered', messageId: 'm2' }),
    row(2, { outcome: 'delivered' }),
    row(1, accepted),
    row(0, { event: { userId: 'ada', name: 'without an id' } }),
  ];
  const keysOf = (filters: Parameters<typeof shownRows>[1]) => shownRows(all, filters).map(({ key }) => key);
  expect(keysOf({ text: 'ada' })).toEqual([4, 1, 0]);
  expect(keysOf({ text: 'ada', outcome: 'dead' })).toEqual([4]);
  expect(keysOf({ text: '422' })).toEqual([4]);
  expect(keysOf({})).toEqual([4, 3, 2, 1, 0]);
});

it('reads each event once, however often its rows are looked through', () => {
  let readings = 0;
  const event = { toJSON: () => ({ userId: `Ada ${++readings}` }) };
  const all = [row(1, { event })];
  for (const text of ['ada', 'a', 'grace']) shownRows(all, { text });
  shownRows(withRows(START, all, 0).rows, { text: 'ada' });
  expect(readings).toBe(1);
});

it('says what came during a pause, and how much of it had to go', () => {
  const held = withRows(START, rows(1, 10), 0);
  const few = withRows(held, rows(11, 3), 2);
  expect(paused(held, few)).toMatchObject({ rows: held.rows, waiting: 3, lost: 0 });
  const many = withRows(few, rows(14, ROWS_MAX + 4), 0);
  expect(many.rows).toHaveLength(ROWS_MAX);
  expect(paused(held, many)).toMatchObject({ waiting: ROWS_MAX, lost: 7 });
});

it('holds no more than there is room for, whatever the size of the events', () => {
  const large = (key: number) => row(key, { bytes: BYTES_MAX / 4 });
  const few = withRows(START, [5, 4, 3, 2, 1].map(large), 0);
  expect(few.rows.map(({ key }) => key)).toEqual([5, 4, 3, 2]);
  expect(withRows(few, [row(6, { bytes: 2 * BYTES_MAX })], 0).rows.map(({ key }) => key)).toEqual([6]);
});

it('knows from when to when rows are missing', () => {
  const away = interrupted(START, 1);
  expect(away.gap).toBeUndefined();
  const cut = interrupted(opened(away, 2), 5);
  expect(cut).toMatchObject({ state: 'away', gap: { from: 5 } });
  // tries that fail do not move its beginning
  expect(interrupted(cut, 8).gap).toEqual({ from: 5 });
  const back = opened(cut, 9);
  expect([back.state, back.gap]).toEqual(['open', { from: 5, to: 9 }]);
  expect(opened(interrupted(back, 20), 23).gap).toEqual({ from: 20, to: 23 });
  expect(paused(START, back)).toMatchObject({ state: 'open', gap: { from: 5, to: 9 } });
});
