import { describe, expect, it } from '@jest/globals';
import { isSameAddress, MASK, maskSecrets, restoreSecrets } from './secrets.js';

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
const masked = {
  url: 'https://example.com',
  apiKey: MASK,
  headers: [
    { from: 'x-a', to: MASK },
    { from: 'x-b', to: MASK },
  ],
  auth: { user: 'ada', password: MASK },
};

describe('maskSecrets', () => {
  it('hides secrets at every path and leaves the stored ones alone', () => {
    expect(maskSecrets(stored, keys)).toEqual(masked);
    expect(stored.apiKey).toBe('k1');
  });

  it.each([{}, { apiKey: '' }, { apiKey: null }, { headers: 'text' }, { auth: [] }])('leaves %j as it is', (config) => {
    expect(maskSecrets(config, keys)).toEqual(config);
  });

  it('hides a secret that is a whole object', () => {
    expect(maskSecrets({ apiKey: { a: 1 } }, keys)).toEqual({ apiKey: MASK });
  });

  it('hides the secrets of nested arrays', () => {
    const config = { groups: [{ headers: [{ to: 's' }] }, { headers: [] }] };
    expect(maskSecrets(config, ['groups.headers.to'])).toEqual({
      groups: [{ headers: [{ to: MASK }] }, { headers: [] }],
    });
  });
});

describe('restoreSecrets', () => {
  it('gives back what was masked', () => {
    expect(restoreSecrets(masked, stored, keys)).toEqual(stored);
  });

  it('takes new secrets as they are sent', () => {
    expect(restoreSecrets({ ...masked, apiKey: 'k2' }, stored, keys)).toMatchObject({ apiKey: 'k2' });
  });

  it('follows elements that moved, went or came', () => {
    const headers = [
      { from: 'x-b', to: MASK },
      { from: 'x-c', to: 'new' },
    ];
    expect(restoreSecrets({ headers }, stored, keys)).toEqual({
      headers: [
        { from: 'x-b', to: 'secret-b' },
        { from: 'x-c', to: 'new' },
      ],
    });
  });

  it('keeps different secrets apart behind equal masks', () => {
    const twice = {
      headers: [
        { from: 'x', to: 's1' },
        { from: 'x', to: 's2' },
      ],
    };
    expect(restoreSecrets(maskSecrets(twice, keys), twice, keys)).toEqual(twice);
  });

  it.each([
    ['a secret that was never stored', { apiKey: MASK }, {}, 'config.apiKey'],
    ['an element that was changed', { headers: [{ from: 'x-z', to: MASK }] }, stored, 'config.headers.0.to'],
    [
      'one element more than was stored',
      { headers: [masked.headers[0], masked.headers[0]] },
      stored,
      'config.headers.1.to',
    ],
  ])('refuses the mask of %s', (_, next, before, field) => {
    expect(() => restoreSecrets(next, before, keys)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { [field]: expect.any(String) } }),
    );
  });

  it('leaves the same text alone where it is no secret', () => {
    expect(restoreSecrets({ url: MASK }, stored, keys)).toEqual({ url: MASK });
  });
});

describe('isSameAddress', () => {
  it.each([
    [true, 'https://a.example/one', 'https://a.example/two'],
    [false, 'https://b.example/one', 'https://a.example/one'],
    [false, 'http://a.example/one', 'https://a.example/one'],
    [false, 'https://a.example:8443/one', 'https://a.example/one'],
    [false, undefined, 'https://a.example/one'],
    [true, undefined, undefined],
    [false, 'https://a.example@b.example/', 'https://a.example/'],
  ])('is %s for %s after %s', (same, next, stored) => {
    expect(isSameAddress({ url: next }, { url: stored }, ['url'])).toBe(same);
  });
});
