import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  invalidField,
  type ListedRegulation,
  type ListOrder,
  REGULATION_PAGE_SIZE,
  type RegulationFilter,
} from '@weir/contracts';
import type { Session } from '@weir/service-kit';
import { taskStatusesOf } from '../deletion/task.repository.js';
import { overallStatus } from '../deletion/task.rules.js';
import {
  type ListedRow,
  listKeys,
  listRegulations,
  type RegulationConditions,
  type RegulationKey,
  regulationsOf,
} from './regulation.repository.js';

/** Regulations that one page examines when it filters by status. This takes about half a second of database time. */
const LOOKED_AT_MAX = 10_000;
const STATUS_CHUNK = 1_000;

export interface Page {
  rows: ListedRow[];
  /** Position after which the next page continues. Undefined after the last page. */
  next?: bigint;
}

/** The filter of a page. `status` is separate, because no column holds it. */
export interface Listing extends RegulationConditions {
  workspaceId: string;
  status?: RegulationFilter['status'];
}

/** Beyond the newest regulation: the largest number of a `bigint` column. */
const END = 2n ** 63n - 1n;

/** The position before the first regulation of an order. */
export const startOf = (order: ListOrder | undefined): bigint => (order === 'desc' ? END : 0n);

/**
 * Reads one page after the position. The status of a regulation follows from its tasks by a rule that is not SQL. Regulations
 * are therefore examined in order until the page is full or {@link LOOKED_AT_MAX} were seen. In the second case the page is short but
 * has a next.
 */
export async function pageOf(sql: Session, { workspaceId, status, ...filter }: Listing, after: bigint): Promise<Page> {
  if (!status) return wholePage(sql, workspaceId, filter, after);
  const found: RegulationKey[] = [];
  let position = after;
  let next: bigint | undefined;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && found.length <= REGULATION_PAGE_SIZE; lookedAt += STATUS_CHUNK) {
    const candidates = await listKeys(sql, workspaceId, position, STATUS_CHUNK, filter);
    found.push(...(await withStatus(sql, workspaceId, candidates, status)));
    position = BigInt(candidates.at(-1)?.seq ?? position);
    next = candidates.length < STATUS_CHUNK ? undefined : position;
    if (next === undefined) break;
  }
  const shown = found.slice(0, REGULATION_PAGE_SIZE);
  if (found.length > shown.length) next = BigInt(shown.at(-1)?.seq ?? after);
  const rows = await regulationsOf(sql, workspaceId, shown, filter);
  return { rows, ...(next !== undefined && { next }) };
}

async function wholePage(
  sql: Session,
  workspaceId: string,
  filter: RegulationConditions,
  after: bigint,
): Promise<Page> {
  const rows = await listRegulations(sql, workspaceId, after, REGULATION_PAGE_SIZE + 1, filter);
  const shown = rows.slice(0, REGULATION_PAGE_SIZE);
  return rows.length > shown.length ? { rows: shown, next: BigInt(shown.at(-1)?.seq ?? after) } : { rows: shown };
}

async function withStatus(
  sql: Session,
  workspaceId: string,
  keys: RegulationKey[],
  wanted: string,
): Promise<RegulationKey[]> {
  const ids = keys.map(({ id }) => id);
  const tasks = await taskStatusesOf(sql, workspaceId, ids);
  return keys.filter(({ id }) => {
    const own = tasks.get(id);
    return own && overallStatus(own) === wanted;
  });
}

/** Reads what a list shows of each row on request, for all of them at once. */
export async function detailsOf(
  sql: Session,
  workspaceId: string,
  rows: readonly ListedRow[],
): Promise<Map<string, Pick<ListedRegulation, 'createdAt' | 'deletion'>>> {
  const ids = rows.map(({ id }) => id);
  const tasks = await taskStatusesOf(sql, workspaceId, ids);
  return new Map(
    rows.map(({ id, createdAt }) => {
      const own = tasks.get(id);
      return [id, { createdAt: createdAt.toISOString(), ...(own && { deletion: { status: overallStatus(own) } }) }];
    }),
  );
}

/** 16 bytes of the HMAC cannot be guessed and keep the cursor short. */
const SIGNATURE_BYTES = 16;
const POSITION_BYTES = 8;

/** Creates and reads the opaque cursors of one list. A cursor is valid only for the workspace and filter that it was made for. */
export class Cursors {
  private readonly keys: readonly Buffer[];

  /** @param keysBase64 One key, or several, separated by commas. The first one makes cursors, all of them read. */
  constructor(keysBase64: string) {
    this.keys = keysBase64.split(',').map((key) => Buffer.from(key, 'base64'));
  }

  /**
   * @param position The last row of the previous page
   * @param filter Any text that is the same for the same filter
   */
  make(workspaceId: string, position: bigint, filter = ''): string {
    const bytes = Buffer.alloc(POSITION_BYTES);
    bytes.writeBigInt64BE(position);
    return Buffer.concat([bytes, ...this.signatures(workspaceId, bytes, filter).slice(0, 1)]).toString('base64url');
  }

  /** Throws `invalid` for a cursor that this service did not make for this workspace and filter. */
  read(workspaceId: string, cursor: string, filter = ''): bigint {
    const bytes = Buffer.from(cursor, 'base64url');
    const position = bytes.subarray(0, POSITION_BYTES);
    const isWhole = bytes.length === POSITION_BYTES + SIGNATURE_BYTES && bytes.toString('base64url') === cursor;
    const signature = bytes.subarray(POSITION_BYTES);
    if (!isWhole || !this.signatures(workspaceId, position, filter).some((own) => timingSafeEqual(signature, own))) {
      throw invalidField(
        'after_cursor',
        'is not a cursor of this list: take it from paging.next, with the filters there',
      );
    }
    return position.readBigInt64BE();
  }

  /** Position and workspace have a fixed length, so no field can pass for the end of another. */
  private signatures(workspaceId: string, position: Buffer, filter: string): Buffer[] {
    return this.keys.map((key) => {
      const hmac = createHmac('sha256', key).update(position).update(workspaceId).update(filter);
      return hmac.digest().subarray(0, SIGNATURE_BYTES);
    });
  }
}
