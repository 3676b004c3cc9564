import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { folder, weir } = useCommandLine();
const url = useServer((_, response) => response.setHeader('content-type', 'application/json').end('{}'));
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const receipt = {
  workspaceId: 'w1',
  version: 1,
  completedAt: '2026-01-01',
  regulationId: 'r1',
  audit: { position: 7, hash: 'h' },
};
/** The keys of `receipt` sorted by hand, so that the test does not repeat the code. */
const CANONICAL =
  '{"audit":{"hash":"h","position":7},"completedAt":"2026-01-01","regulationId":"r1","version":1,"workspaceId":"w1"}';
const value = sign(null, Buffer.from(CANONICAL), privateKey).toString('base64url');

function write(signed: object, kid = 'k1'): void {
  writeFileSync(join(folder, 'receipt.json'), JSON.stringify(signed));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] }));
}
const verify = () => weir('receipt verify receipt.json keys.json');

describe('weir receipt verify', () => {
  it('accepts what was signed, and leads to the audit trail', async () => {
    write({ receipt, signature: { keyId: 'k1', value } });
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('audit entry   7 h') });
  });

  it('refuses what was changed, another key, and other files', async () => {
    write({ receipt: { ...receipt, completedAt: '2025-01-01' }, signature: { keyId: 'k1', value } });
    expect(await verify()).toMatchObject({ code: 5, out: expect.stringContaining('one of them was changed') });
    write({ receipt, signature: { keyId: 'k1', value } }, 'k2');
    expect(await verify()).toMatchObject({ code: 5, out: expect.stringContaining('not among the given ones') });
    write({});
    expect(await verify()).toMatchObject({ code: 5, out: expect.stringContaining('do not hold a receipt') });
    expect(await weir('receipt verify nothing.json keys.json')).toMatchObject({ code: 2, out: '' });
  });
});

it('weir receipt get writes nothing elsewhere for an assistant, through a link', async () => {
  const cwd = join(folder, 'linked');
  mkdirSync(cwd);
  symlinkSync(join(folder, 'new'), join(cwd, 'keys.json'));
  const { err } = await weir('receipt get r1', { env: { WEIR_URL: url(), WEIR_TOKEN: 't' }, cwd, filesIn: cwd });
  expect(err).toContain('keys.json is outside of the folder');
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
