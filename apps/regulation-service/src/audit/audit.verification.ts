import type { Sql } from '@weir/messaging';
import { CHAIN_START, type ChainEnd, firstBreak } from './audit.chain.js';
import { readTrail } from './audit.repository.js';
import { auditedWorkspaces, unauditedRegulations } from './audit-verification.repository.js';
import type { TrailHead } from './trail-head.js';

/** Entries in memory at once. */
const PAGE = 5_000;

export interface TrailReport {
  head: TrailHead;
  /** Empty if nothing was rewritten or removed. */
  problems: string[];
}

/**
 * Verifies every trail: each entry follows its predecessor, the entries of `known` heads are unchanged, and every regulation has
 * its entries. The last check also reveals a trail that was cut at its end.
 * @param sql A transaction with a single snapshot
 */
export async function* verifyTrails(sql: Sql, known: readonly TrailHead[] = []): AsyncGenerator<TrailReport> {
  const workspaces = new Set([...(await auditedWorkspaces(sql)), ...known.map(({ workspaceId }) => workspaceId)]);
  for (const workspaceId of [...workspaces].sort()) {
    const heads = known.filter((head) => head.workspaceId === workspaceId);
    yield verifyTrail(sql, workspaceId, heads);
  }
}

async function verifyTrail(sql: Sql, workspaceId: string, heads: readonly TrailHead[]): Promise<TrailReport> {
  const problems: string[] = [];
  const expected = new Map(heads.map(({ position, hash }) => [position, hash]));
  expected.delete(CHAIN_START.position);
  let end: ChainEnd = CHAIN_START;
  for (;;) {
    const entries = await readTrail(sql, workspaceId, end.position, PAGE);
    const broken = firstBreak(entries, end);
    if (broken !== undefined) problems.push(`entry ${broken} was rewritten, or one before it was removed`);
    for (const { position, hash } of entries) {
      const known = expected.get(position);
      if (known !== undefined && known !== hash.toString('hex')) problems.push(`entry ${position} is not what it was`);
      expected.delete(position);
    }
    end = entries.at(-1) ?? end;
    if (entries.length < PAGE) break;
  }
  for (const position of expected.keys()) problems.push(`entry ${position} was there and is not any more`);
  const unaudited = await unauditedRegulations(sql, workspaceId);
  if (unaudited > 0) problems.push(`${unaudited} regulations lack the entry of their creation or cancellation`);
  return { head: { workspaceId, position: end.position, hash: end.hash.toString('hex') }, problems };
}
