import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SPELL_MS = 5_000;
/** Room for a short run. The database's disk holds the logs, too. */
const SIZES = { database: '1500m', broker: '500m' };

/** All streams together fit on the broker's disk. It refuses to create streams that might not. */
export const SMALL_STREAMS = { STREAM_BYTES_MAX: String(33_554_432) };

const PLACES: Record<string, keyof typeof SIZES> = {
  'full disk of the broker': 'broker',
  'full disk of the database': 'database',
};
export const DISK_FAULTS: readonly string[] = Object.keys(PLACES);

/** Small file systems below a data directory: one for everything, and within it one for the broker. */
export class Disks {
  private constructor(private readonly folders: Record<keyof typeof SIZES, string>) {}

  /** Undefined where this user may not mount. */
  static mount(dataDir: string): Disks | undefined {
    const folders = { database: dataDir, broker: join(dataDir, 'nats') };
    try {
      mount(folders.database, SIZES.database);
      mkdirSync(folders.broker);
      mount(folders.broker, SIZES.broker);
      return new Disks(folders);
    } catch {
      return undefined;
    }
  }

  fill(place: keyof typeof SIZES): () => void {
    const file = join(this.folders[place], 'filler');
    const descriptor = openSync(file, 'w');
    for (const bytes of [LARGE_PIECE, SMALL_PIECE]) writeUntilFull(descriptor, Buffer.alloc(bytes));
    closeSync(descriptor);
    return () => rmSync(file);
  }

  unmount(): void {
    for (const folder of [this.folders.broker, this.folders.database]) execFileSync('umount', ['-l', folder]);
  }
}

const LARGE_PIECE = 1_048_576;
/** A page, the least that a file takes. */
const SMALL_PIECE = 4_096;

/** Others write meanwhile, so nobody knows beforehand how much is left. */
function writeUntilFull(descriptor: number, piece: Buffer): void {
  try {
    while (writeSync(descriptor, piece) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mount(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'weir-chaos', folder], { stdio: 'ignore' });
}

export async function causeDiskFault(disks: Disks | undefined, fault: string): Promise<string> {
  const place = PLACES[fault];
  if (!disks || !place) return `skipped, because nothing can be mounted: ${fault}`;
  const empty = disks.fill(place);
  await sleep(SPELL_MS);
  empty();
  return `${fault} for ${SPELL_MS} ms`;
}
