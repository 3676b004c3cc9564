import { describe, expect, it } from '@jest/globals';
import { AppError } from '@weir/contracts';
import { EgressError } from '@weir/egress';
import { outcomeOfError } from './failure.js';

describe('an attempt that throws', () => {
  it.each([
    ['a destination that cannot be reached', new EgressError('connect', 'The connection was refused'), 'failed'],
    ['a destination that is too slow', new EgressError('timeout', 'No complete answer'), 'failed'],
    ['an address that is not allowed', new EgressError('blocked', 'The address is not allowed'), 'failed'],
    ['an address that is none', new EgressError('invalid_url', 'The URL is not valid'), 'failed'],
    ['an answer without end', new EgressError('too_large', 'The answer is too long'), 'aborted'],
    ['a configuration that cannot be used', new AppError('invalid', 'The bucket has no name'), 'failed'],
    ['a user whom no address can name', new AppError('unsupported', 'the user id cannot be used'), 'aborted'],
    ['a service that is away', new AppError('unavailable', 'The schema service is not available'), 'failed'],
    ['a service that is too slow', new AppError('timeout', 'No answer'), 'failed'],
  ])('because of %s', (_what, error, status) => {
    expect(outcomeOfError(error)).toEqual({ status, reason: error.message });
  });

  it('is tried again when nobody knows why, and says nothing of what it was', () => {
    expect(outcomeOfError(new TypeError('cannot read ada@example.com'))).toEqual({
      status: 'failed',
      reason: 'the deletion failed unexpectedly',
    });
  });
});
