import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendAudit, RequestOf } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, waitingForLocks } from '@weir/testing';
import { CHAIN_START, chain } from '../src/audit/audit.chain.js';
import { lockTrail, readTrail } from '../src/audit/audit.repository.js';
import { AuditService } from '../src/audit/audit.service.js';
import { headLine, readHeads, type TrailHead, verifyTrails } from '../src/audit/audit.verification.js';
import { SCHEMA } from '../src/schema.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const VERIFY = fileURLToPath(new URL('../dist/audit-verify.js', import.meta.url));

let own: Workspace;
let ids: string[];
beforeEach(async () => {
  own = workspaceOf(db.dataSource);
  ids = await own.create({ users: Array.from({ length: 4 }, (_, n) => ({ userId: `u${n}` })) });
  await own.cancel(ids[1] ?? '');
});

/** The owner of the table can disable the trigger. */
async function tamper(sql: string, parameters: unknown[] = []): Promise<void> {
  await db.dataSource.query('ALTER TABLE audit DISABLE TRIGGER audit_append_only');
  await db.dataSource.query(sql, parameters);
  await db.dataSource.query('ALTER TABLE audit ENABLE TRIGGER audit_append_only');
}

async function reportOf({ workspaceId }: Workspace, known: TrailHead[] = []) {
  for await (const report of verifyTrails(db.dataSource, known)) {
    if (report.head.workspaceId === workspaceId) return report;
  }
  throw new Error('no report of the workspace');
}
const problemsOf = async (known: TrailHead[] = []) => (await reportOf(own, known)).problems.join();

it('writers of one workspace wait for one another without a connection each, which others need', async () => {
  const holder = db.dataSource.createQueryRunner();
  await holder.startTransaction();
  const run = async (sql: string, values?: unknown[]) => ({ rows: await holder.query(sql, values), count: 0 });
  await lockTrail({ run } as Sql, own.workspaceId);
  const writes = Array.from({ length: 40 }, () => own.create({}));
  await until('the first to wait for the lock', async () => (await waitingForLocks(db.dataSource)) > 0);
  await workspaceOf(db.dataSource).create({});
  expect(await waitingForLocks(db.dataSource)).toBe(1);
  await holder.commitTransaction();
  await holder.release();
  expect((await Promise.all(writes)).flat()).toHaveLength(40);
});

describe('the verification of the audit trail', () => {
  it('finds nothing in what was written, and goes on from the head of before', async () => {
    const { head, problems } = await reportOf(own);
    expect([head.position, problems]).toEqual([5, []]);
    await own.create({});
    const later = await reportOf(own, [head]);
    expect([later.head.position, later.problems]).toEqual([6, []]);
  });

  it.each([
    ['a rewritten actor', "UPDATE audit SET actor = 'other' WHERE workspace_id = $1 AND position = 3", 'entry 3'],
    ['a rewritten subject', 'UPDATE audit SET subject_hash = hash WHERE workspace_id = $1 AND position = 1', 'entry 1'],
    ['rewritten details', "UPDATE audit SET details = '{}' WHERE workspace_id = $1 AND position = 2", 'entry 2'],
    ['a removed entry', 'DELETE FROM audit WHERE workspace_id = $1 AND position = 2', 'entry 3'],
    [
      'a removed cancellation at the end',
      'DELETE FROM audit WHERE workspace_id = $1 AND position = 5',
      '1 regulations',
    ],
    ['a removed end', 'DELETE FROM audit WHERE workspace_id = $1 AND position > 2', '3 regulations'],
    ['a removed trail', 'DELETE FROM audit WHERE workspace_id = $1', '4 regulations'],
  ])('finds %s', async (_what, sql, problem) => {
    await tamper(sql, [own.workspaceId]);
    expect(await problemsOf()).toContain(problem);
  });

  it('finds a trail that was rewritten as a whole by a head that was kept', async () => {
    const { head } = await reportOf(own);
    const facts = (await readTrail(db.dataSource, own.workspaceId)).map((entry) => ({ ...entry, actor: 'other' }));
    for (const { position, previousHash, hash, actor, at } of chain(own.workspaceId, CHAIN_START, new Date(0), facts)) {
      await tamper(
        'UPDATE audit SET previous_hash = $3, hash = $4, actor = $5, at = $6 WHERE workspace_id = $1 AND position = $2',
        [own.workspaceId, position, previousHash, hash, actor, at],
      );
    }
    expect(await problemsOf()).toBe('');
    expect(await problemsOf([head])).toBe('entry 5 was changed');
    expect(await problemsOf([{ ...head, position: 9 }])).toBe('entry 9 was removed');
  });

  it('is a command: 0 and heads, or 1 and what is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-audit-'));
    const file = join(folder, 'heads');
    const run = () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [VERIFY, file], {
        env: { DATABASE_URL: db.url },
        encoding: 'utf8',
      });
      return { status, stdout, problems: stderr.split('\n').filter((line) => line.includes(own.workspaceId)) };
    };
    const { head } = await reportOf(own);
    writeFileSync(file, `${headLine(head)}\n`);
    // The tests above broke other trails, so only this one counts.
    expect(run()).toMatchObject({ stdout: expect.stringContaining(headLine(head)), problems: [] });
    await tamper("UPDATE audit SET actor = 'other' WHERE workspace_id = $1 AND position = 5", [own.workspaceId]);
    expect(run()).toMatchObject({ status: 1, problems: [expect.stringContaining('entry 5')] });
    rmSync(folder, { recursive: true });
  });
});

it('refuses heads that no verification printed', () => {
  expect(readHeads(`\nw 3 ${'ab'.repeat(32)}\n`)).toEqual([{ workspaceId: 'w', position: 3, hash: 'ab'.repeat(32) }]);
  expect(() => readHeads('w three')).toThrow('not a line');
});

describe('an act of a person', () => {
  const audit = () => new AuditService(db.dataSource);
  const act = (details: RequestOf<typeof AppendAudit>['details'] = {}) => ({
    ...{ actId: newKsuid(), workspaceId: own.workspaceId, actor: 'ada@example.com', action: 'source.created' },
    ...{ at: '2026-01-01T00:00:00.000Z', details },
  });
  const listed = async (after = 0) => audit().list({ workspaceId: own.workspaceId, after });

  it('joins the chain of the regulations, once however often it arrives', async () => {
    const made = act({ id: 'source', versionIds: ['b', 'a'] });
    await Promise.all([1, 2, 3].map(() => audit().append(made)));
    await own.create({});
    const { entries } = await listed();
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(entries[5]).toEqual({
      ...{ position: 6, at: expect.any(String), actor: 'ada@example.com', action: 'source.created' },
      details: { id: 'source', versionIds: ['b', 'a'], actId: made.actId, at: made.at },
      previousHash: entries[4]?.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(entries[6]).toMatchObject({ action: 'regulation.created', regulationId: expect.any(String) });
    expect(await problemsOf()).toBe('');
  });

  it('is found when it is rewritten', async () => {
    await audit().append(act());
    await tamper("UPDATE audit SET action = 'source.deleted' WHERE workspace_id = $1 AND position = 6", [
      own.workspaceId,
    ]);
    expect(await problemsOf()).toContain('entry 6');
  });

  it('is listed with its workspace alone, in pages that fit a message', async () => {
    const other = { ...act(), workspaceId: newKsuid() };
    await audit().append(other);
    const large = Array.from({ length: 1_000 }, () => newKsuid());
    for (let n = 0; n < 40; n += 1) await audit().append(act({ sourceIds: large }));
    const first = await listed();
    expect(first.entries.length).toBeLessThan(45);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(800_000);
    expect(first.next).toBe(first.entries.at(-1)?.position);
    const rest = await listed(first.next);
    expect(first.entries.length + rest.entries.length).toBe(45);
    expect(JSON.stringify([first, rest])).not.toContain(other.actId);
    const back = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Awaited<ReturnType<AuditService['list']>> = await audit().list({ ...own, after, order: 'desc' });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(800_000);
      back.push(...page.entries);
      after = page.next;
    }
    expect(back).toEqual([...first.entries, ...rest.entries].toReversed());
  });
});
