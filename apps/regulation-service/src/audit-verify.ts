import { readFileSync } from 'node:fs';
import { dataSourceFor } from '@weir/service-kit';
import { headLine, readHeads, verifyTrails } from './audit/audit.verification.js';
import { readAuditConfig } from './config.js';
import { migrations } from './migrations/index.js';

/**
 * `node dist/audit-verify.js [heads]` prints the head of every audit trail. It reports rewritten or removed entries on stderr and
 * then exits with 1. Heads kept from an earlier run are compared, which also reveals a trail that was rewritten as a whole.
 */
const [file] = process.argv.slice(2);
const known = file === undefined ? [] : readHeads(readFileSync(file, 'utf8'));
// No time limit, because a trail has at least one entry per regulation.
const bounds = { poolMax: 1, answerTimeoutMs: 0 };
const source = dataSourceFor({ schema: 'regulation', url: readAuditConfig().databaseUrl, migrations, ...bounds });
await source.initialize();
try {
  await source.transaction('REPEATABLE READ', async (sql) => {
    await sql.run('SET LOCAL statement_timeout = 0');
    for await (const { head, problems } of verifyTrails(sql, known)) {
      process.stdout.write(`${headLine(head)}\n`);
      for (const problem of problems) process.stderr.write(`${head.workspaceId}: ${problem}\n`);
      if (problems.length > 0) process.exitCode = 1;
    }
  });
} finally {
  await source.destroy();
}
