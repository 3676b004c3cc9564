import { closeSync, fstatSync, openSync, renameSync } from 'node:fs';

/** A log that grew past this is set aside once (`.1`) when its program starts: two files bound the room it takes. */
const LOG_BYTES_MAX = 10_485_760;

/** Opens a log for the start of a child, which gets its own copy of the descriptor. */
export function withLog<T>(path: string, start: (log: number) => T): T {
  const log = openLog(path);
  try {
    return start(log);
  } finally {
    closeSync(log);
  }
}

function openLog(path: string): number {
  const log = openSync(path, 'a', 0o600);
  if (fstatSync(log).size < LOG_BYTES_MAX) return log;
  closeSync(log);
  renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
