import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter, readResponse } from './send-payload.js';

const answer = (status: number, type: string | undefined, body: string, truncated = false) => ({
  status,
  headers: { ...(type && { 'content-type': type }) },
  body: Buffer.from(body),
  truncated,
});

describe('readResponse', () => {
  it.each([
    ['JSON as a value', answer(200, 'application/json', '{"ok":true}'), { ok: true }],
    ['JSON with parameters and suffix', answer(200, 'Application/Problem+JSON; charset=utf-8', '[1]'), [1]],
    ['broken JSON as text', answer(200, 'application/json', '{"ok":'), '{"ok":'],
    ['JSON that was cut off as text', answer(200, 'application/json', '[1,2', true), '[1,2'],
    [
      'JSON of many levels as text',
      answer(200, 'application/json', '['.repeat(101) + ']'.repeat(101)),
      '['.repeat(101) + ']'.repeat(101),
    ],
    ['XML as text', answer(200, 'application/xml', '<a/>'), '<a/>'],
    ['text as text', answer(200, 'text/plain', 'ok'), 'ok'],
    ['anything else as nothing', answer(200, 'image/png', 'PNG'), ''],
    ['an answer without a type as nothing', answer(200, undefined, 'ok'), ''],
    ['an empty success as nothing', answer(204, undefined, ''), ''],
    ['an empty failure in words', answer(502, 'text/html', ''), 'Error occurred while processing payload.'],
  ])('reads %s', (_, response, read) => {
    expect(readResponse(response)).toEqual({ status: response.status, response: read });
  });

  it('keeps how long the destination asks to wait', () => {
    const busy = {
      ...answer(429, 'text/plain', 'busy'),
      headers: { 'content-type': 'text/plain', 'retry-after': '7' },
    };
    expect(readResponse(busy)).toEqual({ status: 429, response: 'busy', retryAfterMs: 7_000 });
  });
});

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 0, 1);
  it.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', undefined],
    ['-5x', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});
