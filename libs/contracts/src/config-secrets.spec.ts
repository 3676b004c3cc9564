import { describe, expect, it } from '@jest/globals';
import { MASK, mapSecrets, maskedConfig, secretValues, withoutSecrets } from './config-secrets.js';

const keys = ['apiKey', 'headers.to', 'auth.password'];
const stored = {
  url: 'https://example.com',
  apiKey: 'k1',
  headers: [
    { from: 'x-a', to: 'secret-a' },
    { from: 'x-b', to: 'secret-b' },
  ],
  auth: { user: 'ada', password: 'p1' },
};

describe('maskedConfig', () => {
  it('hides secrets at every path and leaves the stored ones alone', () => {
    expect(maskedConfig(stored, keys)).toEqual({
      url: 'https://example.com',
      apiKey: MASK,
      headers: [
        { from: 'x-a', to: MASK },
        { from: 'x-b', to: MASK },
      ],
      auth: { user: 'ada', password: MASK },
    });
    expect(stored.apiKey).toBe('k1');
  });

  it.each([{}, { apiKey: '' }, { apiKey: null }, { headers: 'text' }, { auth: [] }])('leaves %j as it is', (config) => {
    expect(maskedConfig(config, keys)).toEqual(config);
  });

  it('hides a secret that is a whole object or list', () => {
    expect(maskedConfig({ apiKey: { a: 1 } }, keys)).toEqual({ apiKey: MASK });
    expect(maskedConfig({ apiKey: ['a', 'b'] }, keys)).toEqual({ apiKey: MASK });
  });

  it('hides the secrets of nested arrays', () => {
    const config = { groups: [{ headers: [{ to: 's' }] }, { headers: [] }] };
    expect(maskedConfig(config, ['groups.headers.to'])).toEqual({
      groups: [{ headers: [{ to: MASK }] }, { headers: [] }],
    });
  });
});

describe('secretValues', () => {
  it.each([
    [['apiKey'], ['k1']],
    [['headers.to'], ['secret-a', 'secret-b']],
    [
      ['headers.to', 'apiKey'],
      ['secret-a', 'secret-b', 'k1'],
    ],
    [['missing', 'apiKey.deeper'], []],
    [['auth'], ['ada', 'p1']],
  ])('under %j are %j', (paths, values) => {
    expect(secretValues(stored, paths)).toEqual(values);
  });

  it('are texts, each once, without the empty ones', () => {
    const config = { headers: [{ to: 'a' }, { to: 'a' }, { to: '' }, { to: null }, { to: 7 }] };
    expect(secretValues(config, ['headers.to'])).toEqual(['a', '7']);
  });
});

describe('withoutSecrets', () => {
  it('removes the values and keeps everything else', () => {
    expect(withoutSecrets({ ...stored, headers: [{ from: 'x-empty', to: '' }] }, keys)).toEqual({
      url: 'https://example.com',
      headers: [{ from: 'x-empty' }],
      auth: { user: 'ada' },
    });
  });

  it('leaves a configuration without such keys alone', () => {
    expect(withoutSecrets({ url: 'u' }, keys)).toEqual({ url: 'u' });
  });
});

it('mapSecrets changes what stands under a secret key, and nothing else', () => {
  expect(mapSecrets(stored, keys, (secret) => `<${secret}>`)).toEqual({
    ...stored,
    apiKey: '<k1>',
    headers: [
      { from: 'x-a', to: '<secret-a>' },
      { from: 'x-b', to: '<secret-b>' },
    ],
    auth: { user: 'ada', password: '<p1>' },
  });
});
