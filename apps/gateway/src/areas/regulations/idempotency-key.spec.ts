import { describe, expect, it } from '@jest/globals';
import { idempotencyClaim } from './idempotency-key.js';
import { CreateRegulationBody } from './regulation.schemas.js';

const body = (overrides: object) =>
  CreateRegulationBody.parse({ regulationType: 'suppress', users: [{ userId: 'u', a: '1', b: '2' }], ...overrides });
const fingerprint = (overrides: object) => idempotencyClaim('k', body(overrides))?.fingerprint;

describe('an idempotency key', () => {
  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256), 'a\n'])('of the form %j is refused', (key) => {
    expect(() => idempotencyClaim(key, body({}))).toThrow(
      expect.objectContaining({ code: 'invalid', details: { 'Idempotency-Key': expect.any(String) } }),
    );
  });

  it('is not needed', () => {
    expect(idempotencyClaim(undefined, body({}))).toBeUndefined();
  });

  it('stands for what a body means', () => {
    expect(fingerprint({ users: [{ b: '2', a: '1', userId: ' u ' }], unknown: 1 })).toBe(fingerprint({}));
  });

  it.each([
    { users: [{ userId: 'u', a: '2', b: '1' }] },
    { users: [{ userId: 'u', a: '1', b: 2 }] },
    { users: [{ userId: 'u', a: '1', b: '2' }, { userId: 'u' }] },
    { regulationType: 'suppress_with_delete' },
    { sourceIds: ['0ujzPyRiIAffKhBux4PvQdDqMHY'] },
  ])('does not stand for %j too', (other) => {
    expect(fingerprint(other)).not.toBe(fingerprint({}));
  });
});
