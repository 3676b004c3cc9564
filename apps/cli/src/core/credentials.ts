import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from './errors.js';
import { ExitCode } from './exit-code.js';
import type { Io } from './io.js';

/** Where Weir is, and who asks. */
export interface Credentials {
  url: string;
  token: string;
  /** Where they come from, for `weir status`. */
  from: string;
}

const OWNER_ONLY = 0o600;
const LOGIN = 'Log in with `weir login`, or set WEIR_URL and WEIR_TOKEN.';

/** `$XDG_CONFIG_HOME/weir/credentials.json`, by default below `~/.config`. */
export function credentialsFile({ env, home }: Io): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'weir', 'credentials.json');
}

/**
 * The environment wins over the file. A stored token is never sent to an address that it was not stored for, so `WEIR_URL` with
 * another address needs `WEIR_TOKEN` too.
 */
export function credentialsOf(io: Io): Credentials {
  const { WEIR_URL: url, WEIR_TOKEN: token } = io.env;
  const stored = storedCredentials(io);
  if (token) {
    const address = url || stored?.url;
    if (!address) throw new CliError('WEIR_TOKEN is set, and WEIR_URL is not', 'Set WEIR_URL to the address of Weir.');
    return { url: httpUrl(address), token, from: 'WEIR_TOKEN' };
  }
  if (!stored) throw new CliError('You are not logged in', LOGIN, ExitCode.notAllowed);
  if (url && httpUrl(url) !== stored.url) {
    throw new CliError(`There is no token for ${url}: the stored one is for ${stored.url}`, LOGIN, ExitCode.notAllowed);
  }
  return stored;
}

/** Undefined if nobody has logged in. */
export function storedCredentials(io: Io): Credentials | undefined {
  const file = credentialsFile(io);
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const { url, token } = JSON.parse(text);
    if (typeof url === 'string' && typeof token === 'string') return { url, token, from: file };
  } catch {
    // told below
  }
  throw new CliError(`${file} is damaged`, 'Write it again with `weir login`.', ExitCode.notAllowed);
}

/** Only the owner may read the file, also if it was there before with another mode. */
export function storeCredentials(io: Io, { url, token }: Omit<Credentials, 'from'>): string {
  const file = credentialsFile(io);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify({ url, token }, null, 2)}\n`, { mode: OWNER_ONLY });
  chmodSync(file, OWNER_ONLY);
  return file;
}

/** Whether there was something to remove. */
export function removeCredentials(io: Io): boolean {
  const isThere = readIfThere(credentialsFile(io)) !== undefined;
  rmSync(credentialsFile(io), { force: true });
  return isThere;
}

/** The address without a slash at its end. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const example = /^[\w.-]+(:\d+)?$/.test(text) ? `https://${text}, or http://${text}` : 'https://weir.example.com';
    throw new CliError(`${text} is not an address of Weir`, `It looks like ${example}.`);
  }
  if (url.username || url.password) {
    throw new CliError('The address holds credentials', 'Leave them out: `weir login` asks for the token.');
  }
  return url.href.replace(/\/$/, '');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
