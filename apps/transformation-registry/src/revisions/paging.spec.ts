import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, PAGE_ITEMS_MAX, pageOf, revisionsPage, revisionsSlice } from './paging.js';

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ position: String(n + 1) }));
const view = ({ position }: { position: string }) => ({ position, text: 'x'.repeat(100) });

describe('a page', () => {
  it('ends without a next one', () => {
    expect(pageOf(rows(2), view)).toEqual({ items: rows(2).map(view) });
    expect(pageOf([], view)).toEqual({ items: [] });
  });

  it('ends where a message is full, but never before its first item', () => {
    expect(pageOf(rows(9), view, 400)).toMatchObject({ items: rows(3).map(view), next: '3' });
    expect(pageOf(rows(9), view, 1)).toMatchObject({ items: rows(1).map(view), next: '1' });
  });

  it('ends after so many items', () => {
    const { items, next } = pageOf(rows(PAGE_ITEMS_MAX + 1), view);
    expect([items.length, next]).toEqual([PAGE_ITEMS_MAX, String(PAGE_ITEMS_MAX)]);
  });
});

describe('a list of revisions', () => {
  it('gives count items over all pages', () => {
    const all = rows(200);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { slice, left } = revisionsSlice({ count: 120, orderBy: 'ASC', after });
      const found = all.filter(({ position }) => Number(position) > Number(slice.after)).slice(0, slice.limit);
      const { items, next } = revisionsPage(found, view, left);
      seen.push(...items.map(({ position }) => position));
      after = next;
    } while (after);
    expect(seen).toEqual(all.slice(0, 120).map(({ position }) => position));
  });
});

describe('a cursor', () => {
  it('comes back as it was, and anything else is refused', () => {
    expect(decodeCursor(encodeCursor({ position: '7', left: 3 }))).toEqual({ position: '7', left: 3 });
    for (const bad of ['', '???', encodeCursor({ position: '1; DROP' }), encodeCursor({ position: '1', left: 0 })]) {
      expect(() => decodeCursor(bad)).toThrow('after is not a cursor of this list');
    }
  });
});
