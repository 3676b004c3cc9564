import { describe, expect, it } from '@jest/globals';
import { allAfter, allPages, cursorOf, firstCount } from './pages.js';

const SIZE = 50;
const numbered = (rows: number) => Array.from({ length: rows }, (_, at) => at);

/** A list of the API. `grow` is called before each page. */
function serverOf(total: () => number, grow: () => void = () => undefined) {
  let [open, most] = [0, 0];
  const read = async (page: number) => {
    open += 1;
    most = Math.max(most, open);
    grow();
    await Promise.resolve();
    open -= 1;
    const data = numbered(total()).slice((page - 1) * SIZE, page * SIZE);
    return { data, paging: { total: total(), ...(page * SIZE < total() && { next: `/v2/x?page=${page + 1}` }) } };
  };
  return { read, most: () => most };
}
const dataOf = ({ data }: { data: readonly number[] }) => data;

it.each([0, 1, 50, 51, 2_001, 10_000])(
  'a numbered list of %d rows is read whole, a few pages at a time',
  async (rows) => {
    const { read, most } = serverOf(() => rows);
    expect(await allPages(read, dataOf)).toEqual(numbered(rows));
    expect(most()).toBeLessThanOrEqual(6);
  },
);

it('a numbered list that grows while it is read ends with its last row', async () => {
  let rows = 349;
  const { read } = serverOf(
    () => rows,
    () => {
      rows = Math.min(rows + 1, 360);
    },
  );
  expect(await allPages(read, dataOf)).toEqual(numbered(rows));
  expect(rows).toBeGreaterThan(350);
});

it('a list with cursors is read whole, too: 101 destinations have counters', async () => {
  const read = async (cursor = '0') => {
    const from = Number(cursor);
    const data = numbered(101).slice(from, from + 100);
    return { data, paging: from + 100 < 101 ? { next: `/v2/x?hours=24&after_cursor=${from + 100}` } : {} };
  };
  expect(await allAfter(read)).toEqual(numbered(101));
});

it('the next page is in its address', () => {
  expect([cursorOf('/v2/x?after_cursor=a%2Bb'), cursorOf(undefined), cursorOf('/v2/x?page=2')]).toEqual([
    'a+b',
    undefined,
    undefined,
  ]);
});

it('a list that never ends is told, and not asked for forever', async () => {
  const around = async (cursor = '0') => ({
    data: [1],
    paging: { next: `/v2/x?after_cursor=${(Number(cursor) + 1) % 3}` },
  });
  await expect(allAfter(around)).rejects.toThrow("The server's list does not end: the cursor 1 came twice.");
  const empty = async (page: number) => ({
    data: page === 1 ? [1] : [],
    paging: { total: 2, next: `/v2/x?page=${page + 1}` },
  });
  await expect(allPages(empty, ({ data }) => data)).rejects.toThrow(
    'does not end: page 2 is empty, and is not the last',
  );
  const first = async () => ({ data: [1], paging: { total: 9, next: '/v2/x?page=2' } });
  await expect(allPages(first, ({ data }) => data)).rejects.toThrow('does not end: page 7 leads back');
});

describe('the first count of a list', () => {
  const listOf =
    (...pages: number[]) =>
    async (cursor = '0') => {
      const at = Number(cursor);
      const next = at + 1 < pages.length ? { next: `/v2/x?after_cursor=${at + 1}` } : {};
      return { data: numbered(pages[at] ?? 0), paging: next };
    };

  it.each([
    ['one page', [7], { rows: 7, isMore: false }],
    ['no row', [0], { rows: 0, isMore: false }],
    ['more than a page', [50, 3], { rows: 50, isMore: true }],
    ['an empty page before the rows', [0, 3], { rows: 3, isMore: false }],
    ['nothing on the first pages, and more of them', [0, 0, 0, 0, 9], { rows: 0, isMore: true }],
  ])('of %s', async (_, pages, expected) => {
    expect(await firstCount(listOf(...pages))).toEqual(expected);
  });

  it('ends with the first rows, where only they count', async () => {
    expect(await firstCount(listOf(50, 3), (row) => row < 2)).toEqual({ rows: 2, isMore: false });
    expect(await firstCount(listOf(0, 50, 3), (row) => row < 50)).toEqual({ rows: 50, isMore: true });
  });
});
