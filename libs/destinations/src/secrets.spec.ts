import { describe, expect, it } from '@jest/globals';
import { maskSecrets, secretValues, withoutSecrets } from './secrets.js';

const config = {
  url: 'https://hooks.example.com',
  apiKey: 'k-123456',
  headers: [
    { from: 'authorization', to: 'Bearer t0ken' },
    { from: 'x-empty', to: '' },
  ],
};

describe('secretValues', () => {
  it.each([
    [['apiKey'], ['k-123456']],
    [['headers.to'], ['Bearer t0ken']],
    [
      ['headers.to', 'apiKey'],
      ['Bearer t0ken', 'k-123456'],
    ],
    [['missing', 'apiKey.deeper'], []],
  ])('under %j are %j', (keys, values) => {
    expect(secretValues(config, keys)).toEqual(values);
  });
});

describe('maskSecrets', () => {
  it.each([
    ['the whole text', 'k-123456', '***'],
    ['inside a text', 'key=k-123456&x=1', 'key=***&x=1'],
    ['as a key', { 'k-123456': 1 }, { '***': 1 }],
    ['deep inside', { a: [{ b: 'Bearer k-123456' }] }, { a: [{ b: 'Bearer ***' }] }],
    ['not at all', { a: [1, null, true, 'plain'] }, { a: [1, null, true, 'plain'] }],
  ])('hides a secret that is %s', (_, value, masked) => {
    expect(maskSecrets<unknown>(value, ['k-123456'])).toEqual(masked);
  });

  it('hides the longer of two secrets whole', () => {
    expect(maskSecrets('x abcdefg y abcd', ['abcd', 'abcdefg'])).toBe('x *** y ***');
  });

  it('hides what an echo has escaped', () => {
    expect(maskSecrets('{"h":"a\\"b c"} and a%22b%20c', ['a"b c'])).toBe('{"h":"***"} and ***');
  });

  it('does not tear texts apart for a secret of one character', () => {
    expect(maskSecrets({ a: 'banana', b: 'a' }, ['a'])).toEqual({ a: 'banana', b: '***' });
  });
});

describe('withoutSecrets', () => {
  it('removes the values and keeps everything else', () => {
    expect(withoutSecrets(config, ['headers.to', 'apiKey'])).toEqual({
      url: 'https://hooks.example.com',
      headers: [{ from: 'authorization' }, { from: 'x-empty' }],
    });
  });

  it('leaves a configuration without such keys alone', () => {
    expect(withoutSecrets({ url: 'u' }, ['headers.to', 'apiKey'])).toEqual({ url: 'u' });
  });
});
