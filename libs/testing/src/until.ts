import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.js';

const EVERY_MS = 20;

/** Resolves with the first result that is neither undefined nor false. The error after the timeout names `what`. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await delay(EVERY_MS);
  }
}
