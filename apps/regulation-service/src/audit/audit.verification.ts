import type { Sql } from '@weir/messaging';
import { CHAIN_START, type ChainEnd, firstBreak } from './audit.chain.js';
import { readTrail } from './audit.repository.js';

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
      if (known !== undefined && known !== hash.toString('hex')) problems.push(`entry ${position} was changed`);
      expected.delete(position);
    }
    end = entries.at(-1) ?? end;
    if (entries.length < PAGE) break;
  }
  for (const position of expected.keys()) problems.push(`entry ${position} was removed`);
  const unaudited = await unauditedRegulations(sql, workspaceId);
  if (unaudited > 0) problems.push(`${unaudited} regulations lack the entry of their creation or cancellation`);
  return { head: { workspaceId, position: end.position, hash: end.hash.toString('hex') }, problems };
}

/** The end of a workspace's chain, kept where nobody who can write to the database can change it. */
export interface TrailHead {
  workspaceId: string;
  /** 0 if the trail has no entries. */
  position: number;
  /** Hexadecimal. */
  hash: string;
}

const LINE = /^(\S+) (\d+) ([0-9a-f]{64})$/;

export const headLine = ({ workspaceId, position, hash }: TrailHead): string => `${workspaceId} ${position} ${hash}`;

/** Reads a file that an earlier verification printed. Throws on any other line. */
export function readHeads(text: string): TrailHead[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, workspaceId = '', position = '', hash = ''] = LINE.exec(line.trim()) ?? [];
    if (!workspaceId) throw new Error(`not a line of an earlier verification: ${line}`);
    return { workspaceId, position: Number(position), hash };
  });
}

/** Workspaces that have an audit trail or should have one. */
export async function auditedWorkspaces(sql: Sql): Promise<string[]> {
  const { rows } = await sql.run<{ id: string }>(
    'SELECT workspace_id AS id FROM audit UNION SELECT workspace_id FROM regulations',
  );
  return rows.map(({ id }) => id);
}

/** Number of regulations whose creation or cancellation has no audit entry. */
export async function unauditedRegulations(sql: Sql, workspaceId: string): Promise<number> {
  const { rows } = await sql.run<{ count: number }>(
    `SELECT count(*)::int AS count FROM regulations AS regulation
     WHERE workspace_id = $1 AND (
       NOT EXISTS (${ENTRY} 'regulation.created')
       OR canceled_at IS NOT NULL AND NOT EXISTS (${ENTRY} 'regulation.canceled'))`,
    [workspaceId],
  );
  return rows[0]?.count ?? 0;
}

const ENTRY = `SELECT FROM audit
  WHERE audit.regulation_id = regulation.id AND audit.workspace_id = regulation.workspace_id AND audit.action =`;
