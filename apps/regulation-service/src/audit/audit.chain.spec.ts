import { describe, expect, it } from '@jest/globals';
import { type AuditFact, CHAIN_START, chain, firstBreak } from './audit.chain.js';

const fact = (regulationId: string): AuditFact => ({
  actor: 'a@example.com',
  action: 'regulation.created',
  regulationId,
  subjectHash: Buffer.alloc(32, 9),
  details: { regulationType: 'suppress', sources: 2 },
});
const entries = () => chain('w', CHAIN_START, new Date(0), ['r1', 'r2', 'r3'].map(fact));

describe('the audit chain', () => {
  it('is whole as it was written, in one piece or in two', () => {
    const first = chain('w', CHAIN_START, new Date(0), [fact('r1')]);
    const [end] = first;
    const rest = chain('w', end ?? CHAIN_START, new Date(5), [fact('r2')]);
    expect(firstBreak(entries())).toBeUndefined();
    expect(firstBreak([...first, ...rest])).toBeUndefined();
  });

  it('does not depend on the order of the keys of the details, which a database does not keep', () => {
    const reordered = entries().map((entry) => ({
      ...entry,
      details: Object.fromEntries(Object.entries(entry.details).reverse()),
    }));
    expect(firstBreak(reordered)).toBeUndefined();
  });

  it.each([
    ['a changed actor', { actor: 'b@example.com' }],
    ['a changed action', { action: 'regulation.canceled' as const }],
    ['a changed subject', { subjectHash: Buffer.alloc(32, 8) }],
    ['a changed time', { at: new Date(1) }],
    ['changed details', { details: {} }],
  ])('shows %s', (_what, change) => {
    const changed = entries().map((entry) => (entry.position === 2 ? { ...entry, ...change } : entry));
    expect(firstBreak(changed)).toBe(2);
  });

  it('shows a removed entry', () => {
    expect(firstBreak(entries().filter(({ position }) => position !== 2))).toBe(3);
  });

  it('shows entries that changed places', () => {
    expect(firstBreak(entries().reverse())).toBe(3);
  });
});
