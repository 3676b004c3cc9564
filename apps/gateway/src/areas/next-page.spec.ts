import { expect, it } from '@jest/globals';
import { nextPage } from './next-page.js';

it('nextPage keeps the filters that were given, and is empty at the end', () => {
  expect(nextPage('v2/things', '17', { kind: 'a b', other: undefined })).toEqual({
    next: '/v2/things?kind=a+b&after_cursor=17',
  });
  expect(nextPage('v2/things', undefined, { kind: 'a' })).toEqual({});
});
