import { describe, expect, it } from '@jest/globals';
import { pathSegment } from '../toolkit/request.js';
import { required } from './api-call.js';
import { outcomeOfAnswer } from './api-deletion.js';

const answer = (status: number, headers: Record<string, string> = {}, body = '') => ({
  status,
  headers,
  body: Buffer.from(body),
  truncated: false,
});
const vendor = { vendor: 'Acme', success: 'complete' } as const;

describe('the answer of a vendor', () => {
  it.each([
    [200, 1, { status: 'complete' }],
    [202, 9, { status: 'complete' }],
    [302, 1, { status: 'aborted', reason: 'Acme answered 302', tryAlone: false }],
    [400, 1, { status: 'aborted', reason: 'Acme answered 400', tryAlone: false }],
    [400, 2, { status: 'aborted', reason: 'Acme answered 400', tryAlone: true }],
    [404, 1, { status: 'aborted', reason: 'Acme answered 404', tryAlone: false }],
    [401, 2, { status: 'failed', reason: 'Acme refused the credentials (401)' }],
    [403, 1, { status: 'failed', reason: 'Acme refused the credentials (403)' }],
    [408, 1, { status: 'failed', reason: 'Acme answered 408' }],
    [500, 2, { status: 'failed', reason: 'Acme answered 500' }],
  ])('%d for %d users', (status, users, outcome) => {
    expect(outcomeOfAnswer(answer(status), vendor, users, 0)).toEqual(outcome);
  });

  it('404 is a success only where the address names the user', () => {
    expect(outcomeOfAnswer(answer(404), { ...vendor, isAddressed: true }, 1, 0)).toEqual({ status: 'complete' });
  });

  it('says how long to wait', () => {
    expect(outcomeOfAnswer(answer(429, { 'retry-after': '9' }), vendor, 1, 0)).toMatchObject({ retryAfterMs: 9_000 });
  });

  it('may be a promise, or a success that leaves something out', () => {
    const later = { vendor: 'Acme', success: 'forwarded', note: 'only half' } as const;
    expect(outcomeOfAnswer(answer(200), later, 1, 0)).toEqual({ status: 'forwarded', reason: 'only half' });
  });

  it('may be a refusal in a 200, of which the reason tells nothing', () => {
    const strict = { ...vendor, isRefusal: (body: string) => body.includes('no such') };
    expect(outcomeOfAnswer(answer(200, {}, 'no such user ada'), strict, 3, 0)).toEqual({
      status: 'aborted',
      reason: 'Acme refused the deletion',
      tryAlone: true,
    });
  });
});

describe('what a deletion needs', () => {
  it.each([undefined, null, 7, '', ' '])('is missing when it is %j', (value) => {
    expect(() => required({ apiKey: value }, 'apiKey')).toThrow('deletion needs apiKey');
  });
  it.each(['.', '..', '\udc00'])('cannot be the path segment %j', (id) => {
    expect(() => pathSegment(id, 'unsupported')).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });
  it('is encoded as one path segment', () => {
    expect(pathSegment('a/../b?c')).toBe('a%2F..%2Fb%3Fc');
  });
});
