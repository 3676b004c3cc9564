import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { natsPermissions, SCHEMAS, type SchemaName, StackFault } from '@weir/local-servers';

/** Secrets that the local stack generated. One file (0600) keeps them, so that a later start can read its data. */
export interface Secrets {
  postgresPassword: string;
  rolePasswords: Record<SchemaName, string>;
  natsPassword: string;
  /** One password for each user of the broker. */
  natsUserPasswords: Record<string, string>;
  /** Base64 of the 32 bytes that seal destination configurations. */
  encryptionKey: string;
  /** Base64 of the 32 bytes that key the hashes of regulated user ids. */
  regulationPepper: string;
  /** Base64 of the 32 bytes that key the schema service's digests of users. */
  schemaPepper: string;
  /** Base64 of the 32 bytes that sign receipts of deletions. */
  receiptKey: string;
  accessToken: string;
  adminUser: string;
  adminPassword: string;
}

const password = () => randomBytes(24).toString('base64url');
const key = () => randomBytes(32).toString('base64');

export const generateSecrets = (): Secrets => ({
  postgresPassword: password(),
  rolePasswords: Object.fromEntries(SCHEMAS.map((schema) => [schema, password()])) as Record<SchemaName, string>,
  natsPassword: password(),
  natsUserPasswords: Object.fromEntries(Object.keys(natsPermissions()).map((user) => [user, password()])),
  encryptionKey: key(),
  regulationPepper: key(),
  schemaPepper: key(),
  receiptKey: key(),
  accessToken: `weir_${randomBytes(32).toString('base64url')}`,
  adminUser: 'admin',
  adminPassword: password(),
});

/** Reads the secrets of this data directory, or creates them. Adds secrets that a later version introduced. */
export function openSecrets(path: string): Secrets {
  const kept = readSecrets(path);
  const fresh = generateSecrets();
  const secrets = {
    ...fresh,
    ...kept,
    rolePasswords: { ...fresh.rolePasswords, ...kept.rolePasswords },
    natsUserPasswords: { ...fresh.natsUserPasswords, ...kept.natsUserPasswords },
  };
  writeWhole(path, JSON.stringify(secrets, null, 2));
  return secrets;
}

function readSecrets(path: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StackFault(
      `${path} cannot be read as JSON: restore it from a copy; without it the stored data stays sealed.`,
    );
  }
}

/** A rename replaces the file atomically. A kill leaves either the old file or the new one. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
