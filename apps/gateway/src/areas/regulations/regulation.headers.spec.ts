import { describe, expect, it } from '@jest/globals';
import { idempotencyClaim, warningHeaders } from './regulation.headers.js';
import { CreateRegulationBody } from './regulation.schemas.js';

const body = (overrides: object) =>
  CreateRegulationBody.parse({ regulationType: 'suppress', users: [{ userId: 'u', a: '1', b: '2' }], ...overrides });
const fingerprint = (overrides: object) => idempotencyClaim('k', body(overrides))?.fingerprint;

it('a warning names the destinations that cannot delete, and how many more there are', () => {
  const one = (n: number) => ({
    ...{ destinationId: `d${n}`, type: 'WEBHOOK', deletion: 'not_supported' as const, identifiers: [] },
    reason: 'set config.deletionUrl',
  });
  expect(warningHeaders([])).toEqual({});
  expect(warningHeaders([one(1)])).toEqual({ 'deletion-warning': 'd1 (WEBHOOK): set config.deletionUrl' });
  const many = warningHeaders(Array.from({ length: 1_000 }, (_, n) => one(n)))['deletion-warning'] ?? '';
  expect(many).toMatch(/; 990 more: see dryRun=true$/);
  expect(many.length).toBeLessThan(1_000);
});

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
