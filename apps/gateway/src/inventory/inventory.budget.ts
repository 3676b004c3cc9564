import { AppError } from '@weir/contracts';
import type { Transaction } from '@weir/service-kit';

/**
 * Bytes that the sources, destinations and connections of a workspace may take in the bucket, which several processes hold in
 * memory. About 1.6 KB for each of 10,000 destinations. Why: `docs/decisions/0061-bounds-in-bytes.md`.
 */
export const INVENTORY_BYTES_MAX = 16 * 1_048_576;

/** Ids, flags and names of fields of one object as the bucket has it, rounded up. */
const OBJECT_BYTES = 200;

/** Asks only for lengths, which Postgres knows without reading the long texts. */
const HELD_SQL = `SELECT coalesce(sum(bytes + ${OBJECT_BYTES}), 0)::float AS bytes FROM (
  SELECT octet_length(name) + octet_length(type) + octet_length(write_key) AS bytes FROM sources WHERE workspace_id = $1
  UNION ALL
  SELECT octet_length(name) + octet_length(type) + octet_length(sealed_config) FROM destinations WHERE workspace_id = $1
  UNION ALL SELECT 0 FROM connections WHERE workspace_id = $1) AS held`;

/** Lock the workspace first, so that two changes cannot both take the last bytes. */
export async function heldBytes(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.run<{ bytes: number }>(HELD_SQL, [workspaceId]);
  return rows[0]?.bytes ?? 0;
}

/** Throws a conflict after a change that added bytes beyond the budget. `before`: the bytes before the change. */
export async function refuseOverBudget(tx: Transaction, workspaceId: string, before = 0): Promise<void> {
  const bytes = await heldBytes(tx, workspaceId);
  if (bytes <= INVENTORY_BYTES_MAX || bytes <= before) return;
  throw new AppError(
    'conflict',
    `The sources, destinations and connections of this workspace would take ${bytes} bytes together, and at most ${INVENTORY_BYTES_MAX} fit: shorten the config of destinations, or delete what is not used`,
  );
}
