import { describe, expect, it } from '@jest/globals';
import { AppError } from '@weir/contracts';
import { EGRESS_ERROR_CODES, EgressError } from '@weir/egress';
import { failureOf, verdictOf } from './send-stage.js';

describe('verdictOf', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'refused'],
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [408, 'retry'],
    [409, 'retry'],
    [413, 'refused'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('%i is %s', (status, verdict) => {
    expect(verdictOf(status)).toBe(verdict);
  });
});

describe('failureOf', () => {
  it('says the same of a forbidden address and of an unknown name', () => {
    const [blocked, unknown] = (['blocked', 'dns'] as const).map((code) =>
      failureOf(new EgressError(code, `x ${code}`)),
    );
    expect([blocked?.status, blocked?.response]).toEqual([unknown?.status, unknown?.response]);
    expect([blocked?.verdict, unknown?.verdict]).toEqual(['refused', 'retry']);
  });

  it.each(EGRESS_ERROR_CODES)('never shows an address: %s', (code) => {
    const failure = failureOf(new EgressError(code, 'a rule in words', 'ECONNREFUSED'));
    expect(failure.response).not.toContain('ECONN');
    expect(failure.status).toBeGreaterThanOrEqual(400);
  });

  it("keeps a kind's own refusal and hides everything unexpected", () => {
    expect(failureOf(new AppError('invalid', 'The destination has no valid URL'))).toEqual({
      verdict: 'refused',
      status: 400,
      response: 'The destination has no valid URL',
    });
    expect(failureOf(new TypeError('secret detail')).response).toBe('The delivery failed');
  });
});
