import { expect } from '@jest/globals';
import type { Answer } from '@weir/testing';

export const KSUID = expect.stringMatching(/^[0-9A-Za-z]{27}$/);
export const UUID = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
/** ISO 8601, UTC, milliseconds (ruling 3). */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** ISO 8601, UTC, up to microseconds (area D). */
export const FINE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);

const CODES: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
};

/** Expects a control plane error (ruling 26) with this status and a message that matches `about`. */
export function expectRefusal(answer: Answer, status: number, about: RegExp | string = /./, code = CODES[status]) {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: expect.objectContaining({ message: expect.stringMatching(about), error: answer.body?.message, code }),
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

/** Expects a refusal of area D (ruling 24). */
export function expectMsg(answer: Answer, status: number, about: RegExp | string = /./) {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { msg: expect.stringMatching(about) } });
}

/** Expects a refusal of the intake: plain text and nothing else (wire-facts 6.4). */
export function expectText(answer: Answer, status: number, text: string) {
  expect({ status: answer.status, text: answer.text.trim() }).toEqual({ status, text });
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
}
