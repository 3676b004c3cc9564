import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { StreamableFile } from '@nestjs/common';
import { answerList, bareList, listUnder, nextPage, type Page, pagingOf } from './lists.js';

const pages = (...all: number[][]) => {
  const asked: (number | undefined)[] = [];
  const ask = async (after: number | undefined): Promise<Page<number, number>> => {
    asked.push(after);
    const index = after ?? 0;
    const next = index + 1 < all.length ? index + 1 : undefined;
    return { items: all[index] ?? [], next };
  };
  return { ask, asked };
};
const json = async (answer: Promise<StreamableFile>) => JSON.parse(await text((await answer).getStream())) as unknown;

describe('answerList', () => {
  it.each([
    ['no page with items', [[]], []],
    ['one page', [[1, 2]], [1, 2]],
    ['pages in order, with an empty one between', [[1], [], [2, 3]], [1, 2, 3]],
    ['an empty first page', [[], [4]], [4]],
  ])('joins %s', async (_, all, expected) => {
    expect(await json(answerList(bareList, pages(...all).ask))).toEqual(expected);
    expect(await json(answerList(listUnder('libraries'), pages(...all).ask))).toEqual({ libraries: expected });
  });

  it('refuses properly when the first page is refused', async () => {
    const refused = answerList(bareList, () => Promise.reject(new Error('not there')));
    await expect(refused).rejects.toThrow('not there');
  });

  it('asks for a page only when the one before was read', async () => {
    const { ask, asked } = pages([1], [2], [3]);
    const answer = await answerList<StreamableFile, number, number>(bareList, ask);
    expect(asked).toEqual([undefined]);
    await text(answer.getStream());
    expect(asked).toEqual([undefined, 1, 2]);
  });

  it('breaks off when a later page fails, so that half a list is no list', async () => {
    const answer = await answerList<StreamableFile, number, number>(bareList, async (after) => {
      if (after !== undefined) throw new Error('gone');
      return { items: [1], next: 1 };
    });
    await expect(text(answer.getStream())).rejects.toThrow('gone');
  });
});

it('nextPage keeps the filters that were given, and is empty at the end', () => {
  expect(nextPage('/v2/things', '17', { kind: 'a b', other: undefined })).toEqual({
    next: '/v2/things?kind=a+b&after_cursor=17',
  });
  expect(nextPage('/v2/things', undefined, { kind: 'a' })).toEqual({});
});

describe('pagingOf', () => {
  it.each([
    [1, 0, undefined],
    [1, 50, undefined],
    [1, 51, '/v2/sources?page=2'],
    [2, 101, '/v2/sources?page=3'],
    [3, 101, undefined],
    [9, 101, undefined],
  ])('page %d of %d rows goes on at %s', (page, total, next) => {
    expect(pagingOf('/v2/sources', page, total)).toEqual(next ? { total, next } : { total });
  });

  it('keeps the filters of the list', () => {
    expect(pagingOf('/v2/connections', 1, 60, { hasExternalId: 'true' }).next).toBe(
      '/v2/connections?page=2&hasExternalId=true',
    );
  });
});
