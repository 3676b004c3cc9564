import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Bytes of each log. The end explains a failure, and a night has about twenty stacks of about twenty programs. */
export const KEPT_BYTES_MAX = 262_144;

/** Copies the end of each log of a stack into a folder of its own, because nobody can look at a stack that was removed. */
export function keepLogs(dataDir: string, folder: string): void {
  const kept = join(folder, basename(dataDir));
  mkdirSync(kept, { recursive: true });
  const logs = join(dataDir, 'logs');
  for (const name of readdirSync(logs)) writeFileSync(join(kept, name), endOf(join(logs, name)));
}

function endOf(file: string): Buffer {
  const { size } = statSync(file);
  const end = Buffer.alloc(Math.min(size, KEPT_BYTES_MAX));
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, end, 0, end.length, size - end.length);
  } finally {
    closeSync(descriptor);
  }
  return end;
}
