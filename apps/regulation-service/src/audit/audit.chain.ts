import { createHash } from 'node:crypto';

/** Something that happened in a workspace. Contains no readable data of a user. */
export interface AuditFact {
  actor: string;
  /** A {@link RegulationAction}, or that of an act elsewhere. */
  action: string;
  /** {@link NO_REGULATION} if it is about none. */
  regulationId: string;
  /** The user's match key. {@link NO_SUBJECT} if it is about none. */
  subjectHash: Buffer;
  details: Record<string, unknown>;
}

/** Entries without regulation have the same fields, so that the version before verifies and extends the same chain. */
export const NO_REGULATION = '00000000-0000-0000-0000-000000000000';
export const NO_SUBJECT = Buffer.alloc(0);

export type RegulationAction = 'regulation.created' | 'regulation.canceled' | 'deletion.forwarded' | 'deletion.ended';

/** A fact at its position in the workspace's chain. */
export interface AuditEntry extends AuditFact {
  workspaceId: string;
  /** Counts from 1 without gaps. */
  position: number;
  at: Date;
  /** Hash of the previous entry, or 32 zero bytes for the first. */
  previousHash: Buffer;
  /** SHA-256 over all fields above. */
  hash: Buffer;
}

export interface ChainEnd {
  position: number;
  hash: Buffer;
}

export const CHAIN_START: ChainEnd = Object.freeze({ position: 0, hash: Buffer.alloc(32) });

/** Turns facts into entries that follow `end`. */
export function chain(workspaceId: string, end: ChainEnd, at: Date, facts: readonly AuditFact[]): AuditEntry[] {
  let last = end;
  return facts.map((fact) => {
    const entry = { ...fact, workspaceId, position: last.position + 1, at, previousHash: last.hash };
    const linked = { ...entry, hash: hashOf(entry) };
    last = linked;
    return linked;
  });
}

/**
 * Position of the first entry that was changed or that does not follow its predecessor. Undefined if the chain is intact.
 * @param end The entry before the first one
 */
export function firstBreak(entries: readonly AuditEntry[], end: ChainEnd = CHAIN_START): number | undefined {
  let last = end;
  for (const entry of entries) {
    const follows = entry.position === last.position + 1 && entry.previousHash.equals(last.hash);
    if (!follows || !entry.hash.equals(hashOf(entry))) return entry.position;
    last = entry;
  }
  return undefined;
}

/** Hashes a JSON array, because its text is the same on every machine and no field can run into the next. */
function hashOf(entry: Omit<AuditEntry, 'hash'>): Buffer {
  const fields = [
    entry.previousHash.toString('hex'),
    entry.workspaceId,
    entry.position,
    entry.at.toISOString(),
    entry.actor,
    entry.action,
    entry.regulationId,
    entry.subjectHash.toString('hex'),
    Object.entries(entry.details).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
