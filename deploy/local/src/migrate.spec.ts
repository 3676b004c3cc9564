import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { StackFacts } from './environment.js';
import { migrate } from './migrate.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-migrate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** An app whose migration is this code. */
function app(name: string, code: string): void {
  mkdirSync(join(folder, name, 'dist'), { recursive: true });
  writeFileSync(join(folder, name, 'dist/migrate.js'), code);
}

it('a migration that fails ends the others, and is the one that is told', async () => {
  const waiting = join(folder, 'waiting');
  app(
    'gateway',
    `require('node:fs').writeFileSync(${JSON.stringify(waiting)}, String(process.pid)); setInterval(() => {}, 1_000);`,
  );
  app(
    'schema-service',
    `const look = () => { if (!require('node:fs').existsSync(${JSON.stringify(waiting)})) return setTimeout(look, 20);
     console.error('the column is missing'); process.exit(3); }; look();`,
  );
  const facts = { natsUrls: {}, databaseUrls: {}, operator: {}, logLevel: 'warn' } as unknown as StackFacts;
  const migrating = migrate({ appsDir: folder, facts, logs: folder });
  await expect(migrating).rejects.toThrow(/migration of schema-service failed \(exit code 3\): the column is missing/);
  expect(isAlive(Number(readFileSync(waiting, 'utf8')))).toBe(false);
});
