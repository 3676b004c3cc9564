import { expect, it } from '@jest/globals';
import { eventIdOf, uuidV5, versionIdOf } from './ids.js';

it('makes version 5 ids as the standard shows', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  expect(uuidV5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

it('gives different names different ids, wherever their parts end', () => {
  expect(eventIdOf('wk', 'track', 'a')).toBe(eventIdOf('wk', 'track', 'a'));
  expect(eventIdOf('wk', 'track', 'a')).not.toBe(eventIdOf('wk', 'tracka', ''));
  expect(versionIdOf(eventIdOf('wk1', 'page', ''), 'hash')).not.toBe(versionIdOf(eventIdOf('wk2', 'page', ''), 'hash'));
});
