import { describe, expect, it } from '@jest/globals';
import { compileSettings, type Settings } from './index.js';

const check = compileSettings({
  $id: 'https://example.com/hook',
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', pattern: '^https?://' },
    method: { enum: ['POST', 'PUT', '', null] },
    port: { type: ['number', 'string', 'null'] },
    headers: {
      type: 'array',
      items: { type: 'object', required: ['from'], properties: { from: {}, to: { type: 'string' } } },
    },
  },
});
const missingOf = (settings: Settings, by = check) => by(settings).missing;
const problemsOf = (settings: Settings, by = check) =>
  by(settings).problems.map(({ path, problem }) => [path.join('.'), problem]);

describe('compileSettings', () => {
  it('names the required settings that nobody gave', () => {
    expect(missingOf({})).toEqual(['url']);
    expect(missingOf({ url: 'https://example.com' })).toEqual([]);
    const either = compileSettings({ type: 'object', anyOf: [{ required: ['key'] }, { required: ['token'] }] });
    expect(either({})).toEqual({ problems: [], missing: ['key', 'token'] });
  });

  it('accepts unknown keys, and keeps them', () => {
    const settings = { url: 'https://example.com', extra: { a: 1 } };
    expect(check(settings)).toEqual({ problems: [], missing: [] });
    expect(settings).toEqual({ url: 'https://example.com', extra: { a: 1 } });
  });

  it.each([
    [{ url: 'ftp://x' }, [['url', 'has an unexpected form: it must match ^https?://']]],
    [{ url: 7 }, [['url', 'must be a string']]],
    [{ url: 'https://x', method: 'GET' }, [['method', 'must be one of POST, PUT']]],
    [{ url: 'https://x', port: true }, [['port', 'must be a number or a string']]],
    [{ url: 'https://x', headers: [{ from: 'a', to: 1 }] }, [['headers.0.to', 'must be a string']]],
    [{ url: 'https://x', headers: [{ to: 'a' }] }, [['headers.0.from', 'is required']]],
    [JSON.parse('{"url":"https://x","a":[{"__proto__":1}]}'), [['a.0.__proto__', 'is not allowed as a key']]],
  ])('%j is refused with %j', (settings, problems) => {
    expect(problemsOf(settings)).toEqual(problems);
  });

  it('tells all problems at once, and what is missing beside them', () => {
    expect(problemsOf({ method: 'GET', headers: [1, { from: 1, to: 1 }] })).toEqual([
      ['method', 'must be one of POST, PUT'],
      ['headers.0', 'must be an object'],
      ['headers.1.to', 'must be a string'],
    ]);
    expect(missingOf({ method: 'GET' })).toEqual(['url']);
  });

  it.each([
    ['^(?!Paid)', 'cannot have look-ahead ((?!): patterns are matched in linear time, as RE2 does it'],
    ['(', 'is not a pattern: missing closing ): `(`'],
    ['a'.repeat(513), 'makes the patterns longer than 512 characters together, repetitions written out'],
  ])('refuses the pattern %s', (eventName, problem) => {
    const patterns = compileSettings({
      type: 'object',
      'x-patterns': [{ list: 'settings', text: 'eventName', when: 'eventRegex' }],
    });
    const settings = { settings: [{ eventName: '(' }, { eventName, eventRegex: true }] };
    const path = ['settings', '1', 'eventName'];
    expect(patterns(settings).problems).toEqual([{ path, problem, quotesValue: true }]);
    const linear = [
      { eventName, eventRegex: false },
      { eventName: '^(a+)+$', eventRegex: true },
    ];
    expect(problemsOf({ settings: linear }, patterns)).toEqual([]);
  });

  it('compiles two schemas with one id', () => {
    expect(() => compileSettings({ $id: 'https://example.com/hook', type: 'object' })).not.toThrow();
  });
});
