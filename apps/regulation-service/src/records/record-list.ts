import { REGULATION_PAGE_SIZE, type RegulationFilter } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { overallStatus } from '../deletion/overall-status.js';
import { listRecords, type RecordFilter, type RecordRow } from './record.repository.js';
import { taskStatusesOf } from './record-status.repository.js';

/** Records that one page examines when it filters by status. This takes about half a second of database time. */
const LOOKED_AT_MAX = 10_000;
const STATUS_CHUNK = 1_000;

export interface Page {
  rows: RecordRow[];
  /** Position after which the next page continues. Undefined after the last page. */
  next?: bigint;
}

/** The filter of a page. `status` is separate, because no column holds it. */
export interface Listing extends RecordFilter {
  workspaceId: string;
  status?: RegulationFilter['status'];
}

/**
 * Reads one page after the position. The status of a regulation follows from its tasks by a rule that is not SQL. Records are
 * therefore examined in order until the page is full or {@link LOOKED_AT_MAX} were seen. In the second case the page is short but
 * has a next.
 */
export async function pageOf(sql: Sql, { workspaceId, status, ...filter }: Listing, after: bigint): Promise<Page> {
  const chunk = status ? STATUS_CHUNK : REGULATION_PAGE_SIZE + 1;
  const rows: RecordRow[] = [];
  let position = after;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += chunk) {
    const candidates = await listRecords(sql, workspaceId, position, chunk, filter);
    for (const row of status ? await withStatus(sql, workspaceId, candidates, status) : candidates) {
      if (rows.length === REGULATION_PAGE_SIZE) return { rows, next: BigInt(rows.at(-1)?.seq ?? after) };
      rows.push(row);
    }
    if (candidates.length < chunk) return { rows };
    position = BigInt(candidates.at(-1)?.seq ?? position);
  }
  return { rows, next: position };
}

async function withStatus(sql: Sql, workspaceId: string, rows: RecordRow[], wanted: string): Promise<RecordRow[]> {
  const ids = rows.map(({ id }) => id);
  const tasks = await taskStatusesOf(sql, workspaceId, ids);
  return rows.filter(({ id }) => {
    const own = tasks.get(id);
    return own && overallStatus(own) === wanted;
  });
}
