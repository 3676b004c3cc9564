import { Injectable } from '@nestjs/common';
import { AppError, notFound } from '@weir/contracts';
import { InventoryWriter } from './inventory.writer.js';
import type { ExternalIdReply } from './paths.js';

const TABLES = { destination: 'destinations', connection: 'connections' } as const;

/**
 * The ids that other tools use for a destination or connection. An id can be set once. Setting the same id again changes nothing.
 */
@Injectable()
export class ExternalIdService {
  constructor(private readonly writer: InventoryWriter) {}

  async set(
    kind: keyof typeof TABLES,
    workspaceId: string,
    { id, externalId }: ExternalIdReply,
  ): Promise<ExternalIdReply> {
    const table = TABLES[kind];
    await this.writer.write(async (sql) => {
      const [stored] = await sql.query<{ external_id: string | null }[]>(
        `SELECT external_id FROM ${table} WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
        [workspaceId, id],
      );
      if (!stored) throw notFound(kind);
      if (stored.external_id !== null && stored.external_id !== externalId) {
        throw new AppError('conflict', `externalId is already set for this ${kind} and cannot be changed`);
      }
      await sql.query(`UPDATE ${table} SET external_id = $3, updated_at = now() WHERE workspace_id = $1 AND id = $2`, [
        ...[workspaceId, id, externalId],
      ]);
    });
    return { id, externalId };
  }
}
