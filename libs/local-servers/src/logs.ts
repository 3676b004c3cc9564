import { closeSync, fstatSync, openSync, renameSync } from 'node:fs';

/** A larger log becomes `.1` when its program starts. Two files per program bound the disk space. */
const LOG_BYTES_MAX = 10_485_760;

/** Opens a log while a child starts. The child gets its own copy of the descriptor. */
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
