import type { Supervised } from '@weir/local-servers';

/** All running programs of a stack, in start order. */
export interface Programs {
  servers: Supervised[];
  processes: Supervised[];
}

/**
 * Time limits of each wave. With the servers they stay below the 15 s of the whole stop. Gateways stop first, so that no new work
 * arrives. User code stops last, because the others may still wait for it.
 */
const WAVES: { matches: (name: string) => boolean; graceMs: number }[] = [
  { matches: (name) => name.startsWith('gateway.'), graceMs: 4_000 },
  {
    matches: (name) => !name.startsWith('code-sandbox.') && !name.startsWith('delivery-service.fetcher'),
    graceMs: 4_000,
  },
  { matches: () => true, graceMs: 1_500 },
];
/** Each server has this, and whatever the processes left of their time. */
const SERVER_GRACE_MS = 2_000;
/** Time for all programs together. Below the 15 s of the whole stop. */
const STOP_MS = 14_000;

/** Stops processes wave by wave, then the broker, then the database. */
export async function stopAll({ servers, processes }: Programs): Promise<void> {
  const end = performance.now() + STOP_MS;
  let left = processes;
  for (const { matches, graceMs } of WAVES) {
    const wave = left.filter(({ name }) => matches(name));
    left = left.filter((process) => !wave.includes(process));
    await Promise.all(wave.map((process) => process.stop(graceMs)));
  }
  for (const [index, server] of servers.toReversed().entries()) {
    const after = servers.length - index - 1;
    await server.stop(Math.max(SERVER_GRACE_MS, end - performance.now() - after * SERVER_GRACE_MS));
  }
}
