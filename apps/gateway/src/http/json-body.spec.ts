import { describe, expect, it } from '@jest/globals';
import { CONTROL_DEPTH_MAX, CONTROL_KEYS_MAX, parseJsonBody, readJsonBody } from './json-body.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('parseJsonBody', () => {
  it('parses a body, and tells a missing body from null', () => {
    expect(parse('{"a":[1,"x",null]}')).toEqual({ a: [1, 'x', null] });
    expect(parse('null')).toBeNull();
    expect(parse('')).toBeUndefined();
  });

  it('keeps ids of events as they are written where a number cannot', () => {
    const text = '{"message":{"userId":12345678901234567890,"amount":12345678901234567890,"messageId":7}}';
    expect(parse(text)).toEqual({
      message: { userId: '12345678901234567890', amount: 12345678901234567000, messageId: 7 },
    });
  });

  it(`takes ${CONTROL_DEPTH_MAX} levels and refuses one more`, () => {
    expect(() => parse(nested(CONTROL_DEPTH_MAX))).not.toThrow();
    expect(() => parse(nested(CONTROL_DEPTH_MAX + 1))).toThrow(/deeper than 64/);
  });

  it('survives nesting that would break a recursive check', () => {
    expect(() => parse(nested(300_000))).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it(`refuses more than ${CONTROL_KEYS_MAX} keys and items`, () => {
    expect(() => parse(JSON.stringify(new Array(CONTROL_KEYS_MAX + 1).fill(0)))).toThrow(/more than 120000/);
    expect(() => parse(JSON.stringify(new Array(4 * CONTROL_KEYS_MAX).fill({})))).toThrow(/more than 120000/);
  });

  it('can be done with turns for others in between', async () => {
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 0);
    const ids = Array(25_000).fill('{"userId":1e30}').join();
    const read = (await readJsonBody(Buffer.from(`{"users":[${ids}]}`))) as { users: { userId: string }[] };
    clearInterval(turning);
    expect([read.users.length, read.users.at(-1)]).toEqual([25_000, { userId: '1e30' }]);
    expect(turns).toBeGreaterThan(0);
  });

  it.each([
    ['a value', '{"a":["x\\u0000y"]}'],
    ['a key', '{"x\\u0000":1}'],
  ])('refuses a NUL character in %s', (_, text) => {
    expect(() => parse(text)).toThrow(/NUL/);
  });

  it.each(['{', '{"a":}', '"', '{"a":1}}', 'undefined', "{'a':1}", ' '])('refuses %p as JSON', (text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining('JSON') }),
    );
  });

  it('says where it is malformed, but does not repeat the text around', () => {
    expect(() => parse('{"password":"hunter2" oops}')).toThrow(/position 22/);
    expect(() => parse('{"password":"hunter2" oops}')).not.toThrow(/hunter2/);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/);
  });
});
