import { readdirSync, readFileSync } from 'node:fs';

/** `USER_HZ`, the unit of `/proc/<pid>/stat`. It is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Program {
  name: string;
  pid: number | undefined;
}

/** CPU seconds so far of each program and its descendants, including those that have ended. Empty without `/proc`. */
export function cpuSeconds(programs: readonly Program[]): Map<string, number> {
  const table = processTable();
  const used = (pid: number): number => {
    const own = table.get(pid)?.seconds ?? 0;
    const children = [...table].filter(([, { parent }]) => parent === pid);
    return children.reduce((sum, [child]) => sum + used(child), own);
  };
  return new Map(programs.flatMap(({ name, pid }) => (pid && table.has(pid) ? [[name, used(pid)]] : [])));
}

function processTable(): Map<number, { parent: number; seconds: number }> {
  const table = new Map<number, { parent: number; seconds: number }>();
  for (const name of listed('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The command name in parentheses may contain anything, so fields are counted from its end.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      table.set(Number(name), { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return table;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
