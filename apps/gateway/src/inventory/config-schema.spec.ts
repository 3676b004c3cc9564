import { describe, expect, it } from '@jest/globals';
import { compileConfigSchema, missingSettings, refuseUnsafeKeys } from './config-schema.js';

const check = compileConfigSchema({
  $id: 'https://example.com/hook',
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', pattern: '^https?://' },
    method: { enum: ['POST', 'PUT'] },
    headers: { type: 'array', items: { type: 'object', properties: { to: { type: 'string' } } } },
  },
});

describe('missingSettings', () => {
  it('names the required settings that nobody gave', () => {
    expect(missingSettings(check, {})).toEqual(['url']);
    const either = compileConfigSchema({ type: 'object', anyOf: [{ required: ['key'] }, { required: ['token'] }] });
    expect(missingSettings(either, {})).toEqual(['key', 'token']);
    expect(missingSettings(check, { url: 'https://example.com' })).toEqual([]);
  });

  it('keeps unknown keys', () => {
    const config = { url: 'https://example.com', extra: { a: 1 } };
    missingSettings(check, config);
    expect(config).toEqual({ url: 'https://example.com', extra: { a: 1 } });
  });

  it.each([
    [{ url: 'ftp://x' }, { 'config.url': 'has an unexpected form' }],
    [{ url: 'https://x', method: 'GET' }, { 'config.method': 'must be one of POST, PUT' }],
    [{ url: 'https://x', headers: [{ to: 1 }] }, { 'config.headers.0.to': 'must be string' }],
    [{ method: 'GET' }, { 'config.url': 'is required', 'config.method': 'must be one of POST, PUT' }],
  ])('%j is refused with %j', (config, details) => {
    expect(() => missingSettings(check, config)).toThrow(expect.objectContaining({ code: 'invalid', details }));
  });

  it.each([
    ['^(?!Paid)', 'cannot have look-ahead ((?!): patterns are matched in linear time, as RE2 does it'],
    ['(', 'is not a pattern: missing closing ): `(`'],
    ['a'.repeat(513), 'makes the patterns longer than 512 characters together, repetitions written out'],
  ])('refuses the pattern %s', (eventName, problem) => {
    const patterns = compileConfigSchema({
      type: 'object',
      'x-patterns': [{ list: 'settings', text: 'eventName', when: 'eventRegex' }],
    });
    const config = { settings: [{ eventName: '(' }, { eventName, eventRegex: true }] };
    expect(() => missingSettings(patterns, config)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { 'config.settings.1.eventName': problem } }),
    );
    missingSettings(patterns, {
      settings: [
        { eventName, eventRegex: false },
        { eventName: '^(a+)+$', eventRegex: true },
      ],
    });
  });

  it('compiles two schemas with one id', () => {
    expect(() => compileConfigSchema({ $id: 'https://example.com/hook', type: 'object' })).not.toThrow();
  });
});

describe('refuseUnsafeKeys', () => {
  it.each(['{"__proto__":{"a":1}}', '{"a":[{"constructor":1}]}', '{"a":{"prototype":{}}}'])('refuses %s', (text) => {
    expect(() => refuseUnsafeKeys(JSON.parse(text))).toThrow(/not allowed as a key/);
  });

  it('leaves values alone', () => {
    expect(() => refuseUnsafeKeys({ a: '__proto__', b: ['constructor'] })).not.toThrow();
  });
});
