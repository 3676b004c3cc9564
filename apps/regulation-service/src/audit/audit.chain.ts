import { createHash } from 'node:crypto';

/** Something that happened to a regulation. Contains no readable data of the user. */
export interface AuditFact {
  actor: string;
  action: AuditAction;
  regulationId: string;
  /** The user's match key. */
  subjectHash: Buffer;
  details: Record<string, unknown>;
}

export type AuditAction = 'regulation.created' | 'regulation.canceled' | 'deletion.forwarded' | 'deletion.ended';

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
