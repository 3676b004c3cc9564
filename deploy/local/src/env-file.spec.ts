import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeEnvFile } from './env-file.js';

describe('the file of variables', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'weir-env-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true }));

  const write = (password: string) =>
    writeEnvFile({
      urls: ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
      email: 'a@example.com',
      accessToken: 'weir_t',
      admin: { user: 'admin', password },
      opsUrls: {},
      listens: [],
      databaseUrl: 'postgres://hush',
      natsUrl: 'nats://hush',
      dataDir,
    });

  it('is read by a shell as it was written, whatever the password', () => {
    const password = `it's $HOME; "x" \\ y`;
    const path = write(password);
    const script = `. ${path}; printf '%s|%s|%s' "$BASE_URL" "$TOKEN" "$ADMIN_PASSWORD"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`http://127.0.0.1:8080|weir_t|${password}`);
  });

  it('is for its owner only, also when it was there before', () => {
    write('one');
    expect(statSync(write('two')).mode & 0o777).toBe(0o600);
  });
});
