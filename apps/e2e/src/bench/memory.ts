import { readdirSync, readFileSync } from 'node:fs';

const KIB = 1_024;

/**
 * Resident bytes of a process and its children. Each process counts its proportional share of shared pages (`Pss` of Linux). NaN
 * without `/proc`.
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
    return 0; // it has ended in the meantime
  }
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}
