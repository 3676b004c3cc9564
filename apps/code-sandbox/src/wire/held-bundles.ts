import { HELD_BUNDLES_CHARS_MAX } from '../limits.js';
import type { Bundle } from './protocol.js';

/**
 * Bundles that a child holds, so that each crosses the socket once. Supervisor and child keep one of these each and make the same
 * calls in the same order. So the supervisor knows what the child holds without asking it.
 */
export class HeldBundles<Value> {
  /** The one used longest ago comes first. */
  private readonly held = new Map<string, { value: Value; chars: number }>();
  private chars = 0;

  constructor(private readonly charsMax = HELD_BUNDLES_CHARS_MAX) {}

  /** The value under this digest, which becomes the one used last. */
  use(digest: string): Value | undefined {
    const found = this.held.get(digest);
    if (!found) return undefined;
    this.held.delete(digest);
    this.held.set(digest, found);
    return found.value;
  }

  /** Holds one that was not held. Those used longest ago make room for it. The new one is never dropped, however long it is. */
  hold(digest: string, bundle: Bundle, value: Value): void {
    const chars = charsOf(bundle);
    this.held.set(digest, { value, chars });
    this.chars += chars;
    for (const [oldest, { chars: freed }] of this.held) {
      if (this.chars <= this.charsMax || oldest === digest) return;
      this.held.delete(oldest);
      this.chars -= freed;
    }
  }
}

const charsOf = ({ code, libraries }: Bundle): number =>
  libraries.reduce((sum, library) => sum + library.code.length, code.length);
