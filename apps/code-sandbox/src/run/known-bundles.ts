import { KNOWN_BUNDLES_BYTES_MAX } from '../limits.js';
import type { Bundle } from '../wire/protocol.js';

/** Bytes that begin a bundle in a request: its key, which differs for each version, and some of its name. */
const START_BYTES = 64;

interface Known {
  json: Buffer;
  bundle: Bundle;
}

/**
 * Bundles of recent requests, as JSON and as read and checked. Most requests bring code that came before. Comparing it
 * byte by byte costs a fraction of scanning, reading and checking it again.
 */
export class KnownBundles {
  /** Bundles by their first bytes. The one used longest ago comes first. */
  private readonly known = new Map<string, Known>();
  private bytes = 0;

  constructor(private readonly bytesMax = KNOWN_BUNDLES_BYTES_MAX) {}

  /** The bundle whose exact JSON stands here. An object ends where its JSON ends, so nothing may follow that belongs to it. */
  at(bytes: Buffer, at: number): Known | undefined {
    const start = startOf(bytes, at);
    const found = this.known.get(start);
    if (!found?.json.equals(bytes.subarray(at, at + found.json.length))) return undefined;
    this.known.delete(start);
    this.known.set(start, found);
    return found;
  }

  /** @param json of an object without space around it. It is copied. */
  keep(json: Buffer, bundle: Bundle): void {
    if (json.length < START_BYTES || json.length > this.bytesMax) return;
    const start = startOf(json, 0);
    this.drop(start);
    this.known.set(start, { json: Buffer.from(json), bundle });
    this.bytes += json.length;
    for (const oldest of this.known.keys()) {
      if (this.bytes <= this.bytesMax) return;
      this.drop(oldest);
    }
  }

  private drop(start: string): void {
    this.bytes -= this.known.get(start)?.json.length ?? 0;
    this.known.delete(start);
  }
}

const startOf = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + START_BYTES);
