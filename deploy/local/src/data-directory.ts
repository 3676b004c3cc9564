import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { identityOf, messageOf, StackFault } from '@weir/local-servers';

/** Paths of one local stack. All are absolute. */
export interface DataDirectory {
  root: string;
  /** PostgreSQL's cluster. */
  cluster: string;
  /** Configuration and JetStream store of the NATS server. */
  nats: string;
  secrets: string;
  records: string;
  logs: string;
  /** Releases the lock for the next launcher. */
  release(): void;
}

/** Creates the folder if it is missing, and takes its lock. Refuses if a running launcher holds it, or if nobody may write there. */
export function openDataDirectory(path: string): DataDirectory {
  const root = resolve(path);
  const lock = join(root, 'launcher.lock');
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    for (const folder of ['nats', 'logs', 'records']) mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
    takeLock(lock, root);
  } catch (error) {
    throw error instanceof StackFault ? error : unwritable(root, error);
  }
  return {
    root,
    cluster: join(root, 'postgres'),
    nats: join(root, 'nats'),
    secrets: join(root, 'secrets.json'),
    records: join(root, 'records'),
    logs: join(root, 'logs'),
    release: () => rmSync(lock, { force: true }),
  };
}

/** Uses a hard link, which appears together with its content or fails if a lock exists. Nobody sees a half-written lock. */
function takeLock(lock: string, root: string): void {
  const mine = `${process.pid} ${identityOf(process.pid)}`;
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    if (tryLink(draft, lock)) return;
    const holder = readFileSync(lock, 'utf8');
    if (isHeld(holder)) throw inUse(root, holder);
    rmSync(lock, { force: true });
    if (!tryLink(draft, lock)) throw inUse(root, readFileSync(lock, 'utf8'));
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryLink(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isHeld(holder: string): boolean {
  const [pid = '', ...identity] = holder.split(' ');
  return identityOf(Number(pid)) === identity.join(' ');
}

const unwritable = (root: string, error: unknown) =>
  new StackFault(
    `The data directory ${root} cannot be written (${(error as NodeJS.ErrnoException).code ?? messageOf(error)}): give this user the right to write there, or set WEIR_DATA_DIR to another folder.`,
  );

const inUse = (root: string, holder: string) =>
  new StackFault(
    `The data directory ${root} is in use by another launcher (pid ${holder.split(' ')[0]}): end that one, or set WEIR_DATA_DIR to another folder.`,
  );
