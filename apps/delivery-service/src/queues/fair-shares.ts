import type { DestinationRef } from '../units/delivery-unit.js';

export interface ShareBounds {
  /** Upper limit for the sum of all shares. */
  commonMax: number;
  /** A destination may always hold this much while the sum stays within `max`. */
  ownMax: number;
  max: number;
}

/** The amount that may join `held`, so that `held` stays within what is then free, divided by `divisor`. */
const roomFor = (held: number, free: number, divisor: number): number =>
  Math.floor((free - divisor * held) / (divisor + 1));
/** A workspace may hold as much as remains free, and a destination half of what its workspace may still take. */
const [WORKSPACE_DIVISOR, DESTINATION_DIVISOR] = [1, 2];

/**
 * Counts amounts by workspace and destination, and decides whether more fits. Nobody holds more than a fraction of the free
 * amount. A destination alone gets a sixth of everything, and a workspace half. Each newcomer gets less while others hold their
 * shares, so something is always left for the next.
 */
export class FairShares {
  private readonly destinations = new Map<string, number>();
  private readonly workspaces = new Map<string, number>();
  private sum = 0;

  constructor(private readonly bounds: ShareBounds) {}

  get total(): number {
    return this.sum;
  }

  of(destinationId: string): number {
    return this.destinations.get(destinationId) ?? 0;
  }

  /** Whether the destination may take this many bytes more. `total` replaces the sum if the caller knows a better figure. */
  fits({ workspaceId, destinationId }: DestinationRef, bytes: number, total = this.sum): boolean {
    const held = this.of(destinationId);
    const { commonMax, ownMax, max } = this.bounds;
    if (held + bytes <= ownMax && total + bytes <= max) return true;
    const left = roomFor(this.workspaces.get(workspaceId) ?? 0, commonMax - total, WORKSPACE_DIVISOR);
    return bytes <= roomFor(held, left, DESTINATION_DIVISOR);
  }

  /** A negative number returns bytes. */
  add({ workspaceId, destinationId }: DestinationRef, bytes: number): void {
    this.sum += bytes;
    count(this.destinations, destinationId, bytes);
    count(this.workspaces, workspaceId, bytes);
  }
}

function count(counts: Map<string, number>, key: string, bytes: number): void {
  const now = (counts.get(key) ?? 0) + bytes;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
