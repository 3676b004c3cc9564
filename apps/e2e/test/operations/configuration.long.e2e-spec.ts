import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES, type ProcessName } from '@weir/contracts';
import { DEFAULT_APPS_DIR } from '@weir/local';
import { PATIENCE_MS } from '@weir/testing';

const ROOT = join(DEFAULT_APPS_DIR, '..');
/** Values from documentation and examples, and values that people type to get started. */
const PLACEHOLDERS = {
  NATS_URL: 'nats://user:password@127.0.0.1:4222',
  DATABASE_URL: 'postgres://weir:weir@127.0.0.1:5432/weir',
  WEIR_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  REGULATION_PEPPER: Buffer.alloc(32).toString('base64'),
  SCHEMA_PEPPER: Buffer.alloc(32).toString('base64'),
  REGULATION_RECEIPT_KEY: Buffer.alloc(32).toString('base64'),
  SERVICE_ADMIN_USER: 'admin',
  SERVICE_ADMIN_PASSWORD: 'changeme',
};
/** The placeholders that each process reads and therefore refuses. */
const READS: Record<(typeof PROCESSES)[number], (keyof typeof PLACEHOLDERS)[]> = {
  'gateway.main': ['NATS_URL', 'DATABASE_URL', 'WEIR_ENCRYPTION_KEY', 'SERVICE_ADMIN_PASSWORD'],
  'transformation-registry.main': ['NATS_URL', 'DATABASE_URL'],
  'regulation-service.main': ['NATS_URL', 'DATABASE_URL', 'REGULATION_PEPPER', 'REGULATION_RECEIPT_KEY'],
  'regulation-service.filter': ['NATS_URL', 'DATABASE_URL', 'REGULATION_PEPPER'],
  'regulation-service.eraser': ['NATS_URL', 'DATABASE_URL', 'REGULATION_PEPPER', 'WEIR_ENCRYPTION_KEY'],
  'test-runner.main': ['NATS_URL', 'DATABASE_URL', 'WEIR_ENCRYPTION_KEY'],
  'delivery-service.main': ['NATS_URL', 'DATABASE_URL'],
  'delivery-service.deliverer': ['NATS_URL', 'DATABASE_URL', 'WEIR_ENCRYPTION_KEY'],
  'delivery-service.fetcher': ['NATS_URL'],
  'schema-service.main': ['NATS_URL', 'DATABASE_URL', 'SCHEMA_PEPPER'],
  'schema-service.collector': ['NATS_URL', 'DATABASE_URL', 'SCHEMA_PEPPER'],
  'code-sandbox.main': ['NATS_URL'],
};

describe('the configuration', () => {
  let folder: string;
  let broker: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-config-'));
    broker = join(folder, 'nats-url');
    writeFileSync(broker, PLACEHOLDERS.NATS_URL);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** Starts a process that should exit at once. */
  function start(process: ProcessName, env: Record<string, string>) {
    const [app = '', entry = ''] = process.split('.');
    const file = join(DEFAULT_APPS_DIR, app, 'dist', `${entry}.js`);
    // Passes the broker's URL on descriptor 3. In production, code-sandbox reads it nowhere else.
    const stdio = ['ignore', 'pipe', 'pipe', openSync(broker, 'r')] as const;
    const options = { env, stdio: [...stdio], encoding: 'utf8' as const, timeout: PATIENCE_MS };
    return spawnSync(globalThis.process.execPath, [file], options);
  }

  it.each(PROCESSES)('of a production %s refuses placeholders of secrets', (process) => {
    const env = { ...PLACEHOLDERS, NODE_ENV: 'production', NATS_CREDENTIALS_FD: '3' };
    const { status, stderr } = start(process, env);
    expect(status).toBe(1);
    const refused = [...stderr.matchAll(/^ +([A-Z_]+): is a placeholder/gm)].map(([, name = '']) => name);
    expect(refused.sort()).toEqual([...READS[process]].sort());
    expect(stderr).not.toContain(PLACEHOLDERS.SERVICE_ADMIN_PASSWORD);
  });

  it('is written down as the schemas have it', () => {
    const script = join(ROOT, 'tools/config-reference.mjs');
    const { stderr, status } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });
});
