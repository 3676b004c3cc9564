import { Logger } from '@nestjs/common';
import type { Database } from './sql.js';

/**
 * The damage from losing the database machine, as the operator states it. `standby` loses nothing that was answered, because a
 * second machine has it. `single` loses everything since the last backup.
 */
export const DURABILITIES = ['single', 'standby'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** The commit settings of the database. */
export interface CommitFacts {
  /** `synchronous_commit` of this connection. A role or a database can have its own. */
  commit: string;
  /** `synchronous_standby_names`. */
  names: string;
  /** `sync_state` of each connected standby. Null if this role may not see it. */
  standbys: readonly (string | null)[];
}

/** Values with which commits wait for a named standby. */
const WAITING = ['on', 'remote_write', 'remote_apply'];
const SYNCHRONOUS = ['sync', 'quorum'];

const log = new Logger('Database');
/** Warns once per process, which has one database. A reconnect does not repeat the warning. */
const warned = new Set<string>();

/** Throws if the database does not keep the promise. Warns once about a setting that is probably a mistake. */
export async function checkDurability(source: Database, promised: Durability): Promise<void> {
  const facts = await readCommitFacts(source);
  const fault = promised === 'standby' ? brokenPromise(facts) : undefined;
  if (fault) throw new Error(`DATABASE_DURABILITY is "standby", but ${fault}`);
  const warning = promised === 'single' ? riskOf(facts) : undefined;
  if (!warning || warned.has(warning)) return;
  warned.add(warning);
  log.warn(warning);
}

export async function readCommitFacts(source: Database): Promise<CommitFacts> {
  const { rows } = await source.run<{ commit: string; names: string }>(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS names`,
  );
  const followers = await source.run<{ state: string | null }>('SELECT sync_state AS state FROM pg_stat_replication');
  return { commit: 'on', names: '', ...rows[0], standbys: followers.rows.map(({ state }) => state) };
}

/** Why an answered commit may not be on a second machine. Undefined if it is, judged by what this role may see. */
export function brokenPromise({ commit, names, standbys }: CommitFacts): string | undefined {
  if (!WAITING.includes(commit)) {
    return `synchronous_commit is "${commit}" for this role: set it to on, or DATABASE_DURABILITY to single`;
  }
  if (names.trim() === '') {
    return 'synchronous_standby_names is empty: name a standby there, or set DATABASE_DURABILITY to single';
  }
  const isHidden = standbys.some((state) => state === null);
  if (isHidden || standbys.some((state) => state !== null && SYNCHRONOUS.includes(state))) return undefined;
  return `no standby that synchronous_standby_names (${names}) names is connected: start it, or set DATABASE_DURABILITY to single`;
}

/** Risks beyond those of any single machine. */
export function riskOf({ commit, names, standbys }: CommitFacts): string | undefined {
  if (commit === 'off') {
    return 'synchronous_commit is off: a crash of the database loses what was answered just before. Set it to on';
  }
  const isWaiting = WAITING.includes(commit) && names.trim() !== '';
  const isFollowed = standbys.some((state) => state === null || !SYNCHRONOUS.includes(state));
  if (isWaiting || !isFollowed) return undefined;
  return (
    'the database has a standby that no commit waits for: a failover to it loses what was answered just before. Name it in ' +
    'synchronous_standby_names, and set DATABASE_DURABILITY to standby'
  );
}
