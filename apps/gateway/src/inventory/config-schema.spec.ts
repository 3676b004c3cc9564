import { describe, expect, it } from '@jest/globals';
import { checkConfig, compileConfigSchema } from './config-schema.js';
import { refuseUnsafeKeys } from './unsafe-keys.js';

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

describe('checkConfig', () => {
  it('keeps unknown keys', () => {
    const config = { url: 'https://example.com', extra: { a: 1 } };
    checkConfig(check, config);
    expect(config).toEqual({ url: 'https://example.com', extra: { a: 1 } });
  });

  it.each([
    [{}, { 'config.url': 'is required' }],
    [{ url: 'ftp://x' }, { 'config.url': 'has an unexpected form' }],
    [{ url: 'https://x', method: 'GET' }, { 'config.method': 'must be one of POST, PUT' }],
    [{ url: 'https://x', headers: [{ to: 1 }] }, { 'config.headers.0.to': 'must be string' }],
    [{ method: 'GET' }, { 'config.url': 'is required', 'config.method': 'must be one of POST, PUT' }],
  ])('%j is refused with %j', (config, details) => {
    expect(() => checkConfig(check, config)).toThrow(expect.objectContaining({ code: 'invalid', details }));
  });

  it.each([
    ['^(?!Paid)', 'cannot have look-ahead ((?!): patterns are matched in linear time, as RE2 does it'],
    ['(', 'is no pattern: missing closing ): `(`'],
    ['a'.repeat(513), 'makes the patterns longer than 512 characters together, repetitions written out'],
  ])('refuses the pattern %s', (eventName, problem) => {
    const patterns = compileConfigSchema({
      type: 'object',
      'x-patterns': [{ list: 'settings', text: 'eventName', when: 'eventRegex' }],
    });
    const config = { settings: [{ eventName: '(' }, { eventName, eventRegex: true }] };
    expect(() => checkConfig(patterns, config)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { 'config.settings.1.eventName': problem } }),
    );
    checkConfig(patterns, {
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
