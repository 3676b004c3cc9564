import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const KIB = 1_024;

/** Resident bytes of a process and all its descendants. */
export function residentBytes(pid: number): number {
  const table = process.platform === 'linux' ? tableFromProc() : tableFromPs();
  return familyBytes(table, pid);
}

export interface ProcessRow {
  pid: number;
  parent: number;
  residentBytes: number;
}

export function familyBytes(table: readonly ProcessRow[], pid: number): number {
  const own = table.find((row) => row.pid === pid)?.residentBytes ?? 0;
  const children = table.filter((row) => row.parent === pid);
  return children.reduce((sum, child) => sum + familyBytes(table, child.pid), own);
}

function tableFromProc(): ProcessRow[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const field = (name: string) => Number.parseInt(status.split(`\n${name}:`)[1] ?? '0', 10);
      return [{ pid: Number(pid), parent: field('PPid'), residentBytes: field('VmRSS') * KIB }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

function tableFromPs(): ProcessRow[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0, resident = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent, residentBytes: resident * KIB };
  });
}
