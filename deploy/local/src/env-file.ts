import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackAddress } from './stack.js';

/** The file holds credentials, so only its owner may read it. */
const OWNER_ONLY = 0o600;

/** Writes the variables that a shell needs to use the stack: `. .weir/env`. Nobody has to copy credentials. */
export function writeEnvFile({ urls, email, accessToken, admin, dataDir }: StackAddress): string {
  const path = join(dataDir, 'env');
  const variables = {
    BASE_URL: urls[0] ?? '',
    EMAIL: email,
    TOKEN: accessToken,
    ADMIN_USER: admin.user,
    ADMIN_PASSWORD: admin.password,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  writeFileSync(path, lines.join(''), { mode: OWNER_ONLY });
  chmodSync(path, OWNER_ONLY); // an existing file keeps its mode
  return path;
}

/** Quotes any text as one shell word. */
export const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
