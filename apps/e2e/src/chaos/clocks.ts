import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's package `libfaketime`. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const SPELL_MS = 6_000;
const VICTIMS = [
  'gateway.main',
  'regulation-service.main',
  'regulation-service.filter',
  'delivery-service.deliverer',
  'schema-service.collector',
  'transformation-registry.main',
];
const SKEWS = {
  'clock ahead by seconds': '+7',
  'clock behind by seconds': '-7',
  'clock ahead by years': '+3y',
  'clock behind by years': '-3y',
};
const RIGHT = '+0';

export const CLOCK_FAULTS: readonly string[] = Object.keys(SKEWS);

/** Clocks of single processes. Each reads its error from a file, again and again. */
export class Clocks {
  private constructor(private readonly folder: string) {
    mkdirSync(folder);
    for (const victim of VICTIMS) this.set(victim, RIGHT);
  }

  static in(dataDir: string): Clocks | undefined {
    return existsSync(LIBRARY) ? new Clocks(join(dataDir, 'clocks')) : undefined;
  }

  /** Variables of a program. Give them to the launcher. */
  readonly variables = (program: string): Record<string, string> =>
    VICTIMS.includes(program)
      ? {
          LD_PRELOAD: LIBRARY,
          FAKETIME_TIMESTAMP_FILE: join(this.folder, program),
          FAKETIME_CACHE_DURATION: '1',
          // Timers run on, as they do when a clock is set.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        }
      : {};

  set(program: string, skew: string): void {
    writeFileSync(join(this.folder, program), skew);
  }
}

export async function causeClockFault(
  clocks: Clocks | undefined,
  fault: string,
  random: () => number,
): Promise<string> {
  if (!clocks) return `skipped without libfaketime, or with several gateways: ${fault}`;
  const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? '';
  clocks.set(victim, SKEWS[fault as keyof typeof SKEWS]);
  await sleep(SPELL_MS);
  clocks.set(victim, RIGHT);
  return `${fault}: ${victim}, for ${SPELL_MS} ms`;
}
