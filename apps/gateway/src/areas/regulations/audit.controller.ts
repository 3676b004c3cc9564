import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { AUDIT_PAGE_SIZE, AuditEntry, ListAudit } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { listOrder, queryInteger } from '../../http/fields.js';
import { nextPage } from '../../http/lists.js';
import { Caller, type Principal } from '../../http/principal.js';

/** Highest position that a page may start after. */
const POSITION_MAX = 999_999_999;
/** Lines of one export: some 50 MB, a minute or so. The next export continues after the last line. */
export const EXPORT_LINES_MAX = 100_000;

const after = queryInteger(0, POSITION_MAX).default(0);
const AuditQuery = z.object({
  after_cursor: after.meta({ description: 'Cursor of the previous page. Default: the start of the list' }),
  order: listOrder,
});
const ExportQuery = z.object({
  after: after.meta({ description: 'Position of the last entry that you have. Default: the start of the trail' }),
});
const AuditPage = z.object({ data: z.array(AuditEntry), paging: z.object({ next: z.string().optional() }) });
const Lines = z.string().meta({ contentMediaType: 'application/x-ndjson' });

const common = { area: 'regulations', access: 'audit', errors: ['unavailable', 'timeout'] } as const;

/** Who did what in a workspace, as a chain of hashes. */
@Controller()
export class AuditController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('/v2/audit')
  @Api({
    summary: 'List what people and tools did in this workspace, oldest first unless `order=desc`',
    description:
      'Tokens, sources, destinations, connections, publishes, rollbacks, regulations and deletions. Each entry has the hash of the ' +
      `one before, and receipts cite these hashes. A page has up to ${AUDIT_PAGE_SIZE} entries.`,
    ...common,
    query: AuditQuery,
    reply: AuditPage,
  })
  async list(@Caller() { workspaceId }: Principal, @Query() query: z.output<typeof AuditQuery>) {
    const { after_cursor: after, order } = query;
    const { entries, next } = await this.rpc.send(ListAudit, { workspaceId, after, order });
    return { data: entries, paging: nextPage('/v2/audit', next?.toString(), { order }) };
  }

  @Get('/v2/audit/export')
  @Api({
    summary: 'Export the audit trail as JSON Lines, oldest first',
    description: `One entry a line, up to ${EXPORT_LINES_MAX} of them. To continue, ask for what is after the last position.`,
    ...common,
    query: ExportQuery,
    reply: Lines,
  })
  async export(@Caller() { workspaceId }: Principal, @Query() query: z.output<typeof ExportQuery>): Promise<string> {
    const ask = (after: number) => this.rpc.send(ListAudit, { workspaceId, after });
    // asked before the answer begins, so that a refusal is an error and no empty file
    const first = await ask(query.after);
    const stream = Readable.from(linesOf(first, ask), { objectMode: false });
    return new StreamableFile(stream, { type: 'application/x-ndjson' }) as unknown as string;
  }
}

type Page = z.output<typeof ListAudit.reply>;

/** A fault breaks the connection, so that half an export never looks complete. */
async function* linesOf(first: Page, ask: (after: number) => Promise<Page>): AsyncGenerator<string> {
  let left = EXPORT_LINES_MAX;
  for (let page = first; ; page = await ask(page.next)) {
    const entries = page.entries.slice(0, left);
    left -= entries.length;
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    if (page.next === undefined || left === 0) return;
  }
}
