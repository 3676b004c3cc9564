import { describe, expect, it } from '@jest/globals';
import { compileSettings } from '@weir/settings';
import { missingSettings, refuseUnsafeKeys } from './config-schema.js';

describe('missingSettings', () => {
  const check = compileSettings({
    type: 'object',
    required: ['url'],
    properties: { url: { type: 'string' }, headers: { type: 'array', items: { type: 'object' } } },
  });

  it('names the required settings that nobody gave', () => {
    expect(missingSettings(check, {})).toEqual(['url']);
    expect(missingSettings(check, { url: 'https://example.com' })).toEqual([]);
  });

  it.each([
    [{ url: 1 }, { 'config.url': 'must be a string' }],
    [{ headers: [1] }, { 'config.url': 'is required', 'config.headers.0': 'must be an object' }],
  ])('%j is refused with %j', (config, details) => {
    expect(() => missingSettings(check, config)).toThrow(expect.objectContaining({ code: 'invalid', details }));
  });
});

it('a refusal names what is wrong before what is missing', () => {
  const check = compileSettings({ required: ['a', 'b'], properties: { c: { type: 'string' } } });
  expect(() => missingSettings(check, { c: 1 })).toThrow(
    'config.c must be a string; config.a is required; config.b is required',
  );
});

describe('refuseUnsafeKeys', () => {
  it.each(['{"__proto__":{"a":1}}', '{"a":[{"constructor":1}]}', '{"a":{"prototype":{}}}'])('refuses %s', (text) => {
    expect(() => refuseUnsafeKeys(JSON.parse(text))).toThrow(/^config\..*is not allowed as a key/);
  });

  it('leaves values alone', () => {
    expect(() => refuseUnsafeKeys({ a: '__proto__', b: ['constructor'] })).not.toThrow();
  });
});
