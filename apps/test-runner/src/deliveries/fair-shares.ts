import type { DeliveryOwnerIds } from './delivery-unit.js';

export interface ShareBounds {
  /** What all hold together, as far as each gets a part of what is free. */
  commonMax: number;
  /** So much a destination may hold whatever the others have, while all together hold no more than `max`. */
  ownMax: number;
  max: number;
}

/** What may still come to `held`, so that it is never more than one in so many parts of what is free then. */
const roomFor = (held: number, free: number, parts: number): number => Math.floor((free - parts * held) / (parts + 1));
/** A workspace holds as much as is left free, a destination half of what its workspace may still take. */
const [WORKSPACE_PARTS, DESTINATION_PARTS] = [1, 2];

/**
 * Bytes by workspace and destination. Nobody holds more than a part of what is free: a destination that is alone gets a
 * sixth of all, a workspace half; each that comes gets less while others hold theirs, and something is left for the next.
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

  /** Whether the destination may have so many bytes more; `total`: what is known to be held besides. */
  fits({ workspaceId, destinationId }: DeliveryOwnerIds, bytes: number, total = this.sum): boolean {
    const held = this.of(destinationId);
    const { commonMax, ownMax, max } = this.bounds;
    if (held + bytes <= ownMax && total + bytes <= max) return true;
    const left = roomFor(this.workspaces.get(workspaceId) ?? 0, commonMax - total, WORKSPACE_PARTS);
    return bytes <= roomFor(held, left, DESTINATION_PARTS);
  }

  /** Less than nothing gives bytes back. */
  add({ workspaceId, destinationId }: DeliveryOwnerIds, bytes: number): void {
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
