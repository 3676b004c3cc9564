import { readdirSync, readFileSync } from 'node:fs';

const KIB = 1_024;

/**
 * Resident bytes of a process and its children, where a page that several processes share counts for each of them in part
 * (`Pss` of Linux). NaN where there is no `/proc`.
 */
export function proportionalBytes(pid: number): number {
  try {
    const family = readdirSync('/proc').filter((name) => name === String(pid) || parentOf(name) === pid);
    return family.reduce((sum, name) => sum + own(name), 0);
  } catch {
    return Number.NaN;
  }
}

function own(pid: string): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * KIB;
  } catch {
    return 0; // it ended meanwhile
  }
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}
