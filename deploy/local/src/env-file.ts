import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackAddress } from './stack.js';

/** Holds credentials: for its owner only. */
const OWNER_ONLY = 0o600;

/** What a shell needs to talk to the stack, so that nobody has to copy credentials: `. .weir/env`. */
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
  chmodSync(path, OWNER_ONLY); // an earlier file keeps its mode
  return path;
}

/** One word for the shell, whatever is in it. */
const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
