import { AppendAudit, type AuditAct } from '@weir/contracts';
import { OutboxRelay, outboxAdd, outboxTableSql } from './outbox.js';
import type { RpcClient } from './rpc-client.js';
import type { Sql, SqlDatabase } from './sql.js';

const TABLE = 'audit_outbox';
const TOPIC = 'audit';

/** Acts on their way to the audit trail. Part of a migration of each service whose acts are audited. */
export const AUDIT_OUTBOX_SQL = outboxTableSql(TABLE);

/** Records an act in the caller's transaction: it is in the trail if and only if that commits. */
export const noteAct = (sql: Sql, act: AuditAct): Promise<void> => outboxAdd(sql, TOPIC, act, TABLE);

/** Hands acts to the trail, in order and however long the regulation service is away. Nothing else waits for it. */
export const auditRelay = (database: SqlDatabase, rpc: RpcClient, log: { warn(message: string): void }): OutboxRelay =>
  new OutboxRelay(
    database,
    async ({ payload }) => {
      await rpc.send(AppendAudit, payload as AuditAct);
    },
    log,
    TABLE,
  );
