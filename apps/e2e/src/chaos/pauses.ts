import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds at least, and at most. */
export interface Span {
  leastMs: number;
  mostMs: number;
}

/** Most calls outlast it. */
export const SHORT: Span = { leastMs: 2_000, mostMs: 10_000 };
/** Longer than every lease, so that others take over meanwhile, and longer than a send may last. */
export const LONG: Span = { leastMs: 16_000, mostMs: 60_000 };
/** Makes lengths near the least more frequent, so that many rounds fit in an hour. */
const SKEW = 3;

export const lengthOf = ({ leastMs, mostMs }: Span, random: () => number): number =>
  Math.round(leastMs + (mostMs - leastMs) * random() ** SKEW);

/** Stops programs with all their children for a while, like a virtual machine that is suspended. */
export async function freeze(pids: readonly number[], forMs: number): Promise<void> {
  const stopped = pids.flatMap(stopFamily);
  await sleep(forMs);
  for (const pid of stopped) signal(pid, 'SIGCONT');
}

/**
 * PostgreSQL has a child for each connection, and the sandbox has those that run code. A parent stops first, so it makes no more.
 * Returns all that were stopped, children first.
 */
function stopFamily(pid: number): number[] {
  signal(pid, 'SIGSTOP');
  return [...childrenOf(pid).flatMap(stopFamily), pid];
}

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).flatMap((task) =>
      readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return []; // it ended meanwhile
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
