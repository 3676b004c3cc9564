import { describe, expect, it } from '@jest/globals';
import { RegulatedUser } from './regulations.js';

describe('a regulated user', () => {
  it.each([
    '{"userId":"u1","email":"a@example.com","age":4,"isNew":false}',
    '{"userId":"u1","__proto__":"p","constructor":"c"}',
  ])('keeps each identifier as given: %s', (text) => {
    expect(JSON.stringify(RegulatedUser.parse(JSON.parse(text)))).toBe(text);
  });

  it.each([
    '["u1"]',
    'null',
    '{"userId":"u1","email":null}',
    '{"userId":"u1","ids":["a"]}',
    '{"userId":"u1","a\\u0000":"b"}',
    '{"userId":"\\ud800"}',
  ])('refuses %s', (text) => {
    expect(RegulatedUser.safeParse(JSON.parse(text)).success).toBe(false);
  });
});
