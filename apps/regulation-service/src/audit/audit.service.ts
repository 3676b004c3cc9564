import { Injectable } from '@nestjs/common';
import {
  AppendAudit,
  AUDIT_PAGE_SIZE,
  chunksOf,
  type ListAudit,
  type ReplyOf,
  type RequestOf,
  type AuditEntry as ShownEntry,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { type AuditEntry, NO_REGULATION, NO_SUBJECT } from './audit.chain.js';
import { appendToTrail, hasAct, readTrail, writeTrail } from './audit.repository.js';

/** Bytes of one page. An entry about a regulation may name a thousand sources, and a message has at most 1 MiB. */
const PAGE_BYTES_MAX = 786_432;

/** The trail of everything that people did in a workspace. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /** Appends an act once, however often it arrives. */
  async append({ workspaceId, actor, action, actId, at, details }: RequestOf<typeof AppendAudit>): Promise<void> {
    await writeTrail(this.database, workspaceId, async (sql) => {
      if (await hasAct(sql, workspaceId, actId)) return;
      const about = { regulationId: NO_REGULATION, subjectHash: NO_SUBJECT };
      await appendToTrail(sql, workspaceId, [{ actor, action, ...about, details: { ...details, actId, at } }]);
    });
  }

  async list({ workspaceId, after, order }: RequestOf<typeof ListAudit>): Promise<ReplyOf<typeof ListAudit>> {
    const found = (await readTrail(this.database, workspaceId, after, AUDIT_PAGE_SIZE + 1, order)).map(shown);
    const bytesOf = (entry: ShownEntry) => Buffer.byteLength(JSON.stringify(entry)) + 1;
    const [entries = []] = chunksOf(found, { itemsMax: AUDIT_PAGE_SIZE, bytesMax: PAGE_BYTES_MAX, bytesOf });
    const last = entries.at(-1);
    return last && entries.length < found.length ? { entries, next: last.position } : { entries };
  }
}

const shown = (entry: AuditEntry): ShownEntry => ({
  position: entry.position,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  ...(entry.regulationId !== NO_REGULATION && { regulationId: entry.regulationId }),
  ...(entry.subjectHash.length > 0 && { subject: entry.subjectHash.toString('hex') }),
  details: entry.details as ShownEntry['details'],
  previousHash: entry.previousHash.toString('hex'),
  hash: entry.hash.toString('hex'),
});
