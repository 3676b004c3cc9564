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
import { isBrokerAtLeast, isBrokerReliable, RELIABLE_BROKER } from '@weir/contracts';
import { messageOf, StackFault } from './fault.js';
import { downloadRelease } from './nats-release.js';

/** The oldest server that supports everything that Weir's streams use. */
const MINIMUM = [2, 9];

/** Time limit of an apt or dpkg command. */
const APT_TIMEOUT_MS = 60_000;

export interface FindNatsOptions {
  /** `PATH` of the person who starts the stack. */
  path: string;
  /** Folders to look in after the PATH. */
  folders?: readonly string[];
  /** Keeps a fetched server for the next start. */
  cacheDir?: string;
  /** Reports slow steps. */
  say?: (line: string) => void;
}

export const defaultCacheDir = (): string => join(homedir(), '.cache', 'weir');

/**
 * Takes the first of: a reliable server on the PATH or fetched earlier, any recent one of these, the official release, the
 * distribution's package.
 */
export async function findNatsServer(options: FindNatsOptions): Promise<string> {
  const cached = join(options.cacheDir ?? defaultCacheDir(), 'nats-server');
  const folders = [...options.path.split(delimiter).filter(Boolean), ...(options.folders ?? USUAL_FOLDERS)];
  const candidates = [...folders.map((folder) => join(folder, 'nats-server')), cached];
  const present = candidates.filter((binary) => isBrokerAtLeast(MINIMUM, versionOf(binary)));
  const reliable = present.find((binary) => isReliableServer(binary));
  if (reliable) return reliable;
  const [recent] = present;
  if (recent) {
    options.say?.(
      `${recent} can forget accepted events when it is killed: install nats-server ${RELIABLE_BROKER.join('.')} or later.`,
    );
    return recent;
  }
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

/** Whether a broker of that many servers of this program keeps every message when they are killed. */
export const isReliableServer = (binary: string, servers = 1): boolean =>
  isBrokerReliable({ version: versionOf(binary), cluster: servers > 1 ? 'cluster' : undefined });

/** The program's own version text, such as `nats-server: v2.9.10`. Empty if it cannot be run. */
function versionOf(binary: string): string {
  try {
    accessSync(binary, constants.X_OK);
    return execFileSync(binary, ['--version'], { encoding: 'utf8' });
  } catch {
    return '';
  }
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
  if (!isBrokerAtLeast(MINIMUM, versionOf(binary)))
    throw new Error(`the fetched file is not nats-server ${MINIMUM.join('.')} or later`);
  mkdirSync(join(cached, '..'), { recursive: true });
  const draft = `${cached}.${process.pid}`;
  copyFileSync(binary, draft);
  chmodSync(draft, 0o755);
  renameSync(draft, cached);
  return cached;
}
