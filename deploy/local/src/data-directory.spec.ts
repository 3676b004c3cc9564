import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openDataDirectory } from './data-directory.js';
import { openSecrets } from './secrets.js';

describe('data directory', () => {
  const parent = mkdtempSync(join(tmpdir(), 'weir-data-'));
  afterAll(() => rmSync(parent, { recursive: true }));

  it('lets one launcher in at a time', () => {
    const path = join(parent, 'one');
    const first = openDataDirectory(path);
    expect(() => openDataDirectory(path)).toThrow(`${path} is in use by another launcher (pid ${process.pid})`);
    first.release();
    openDataDirectory(path).release();
  });

  it('says in one sentence that it cannot be written', () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    const path = join(file, 'data');
    expect(() => openDataDirectory(path)).toThrow(
      `The data directory ${path} cannot be written (ENOTDIR): give this user`,
    );
  });

  it('takes over from a launcher that was killed, even when its pid runs again', () => {
    const path = join(parent, 'stale');
    openDataDirectory(path).release();
    writeFileSync(join(path, 'launcher.lock'), `${process.pid} another-start-time`);
    openDataDirectory(path).release();
  });

  it('keeps its secrets, closed to others, and adds the kinds that are missing', () => {
    const path = join(parent, 'secrets.json');
    const first = openSecrets(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openSecrets(path)).toEqual(first);
    writeFileSync(path, JSON.stringify({ accessToken: first.accessToken, rolePasswords: { gateway: 'kept' } }));
    const filled = openSecrets(path);
    expect(filled.accessToken).toBe(first.accessToken);
    expect(filled.rolePasswords).toMatchObject({ gateway: 'kept', runner: expect.any(String) });
    expect(Buffer.from(filled.encryptionKey, 'base64')).toHaveLength(32);
  });

  it('never makes new secrets over ones that it cannot read', () => {
    const path = join(parent, 'broken.json');
    writeFileSync(path, '{"accessToken":');
    expect(() => openSecrets(path)).toThrow(/cannot be read as JSON/);
  });
});
