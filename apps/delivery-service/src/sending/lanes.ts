/** Items of one lane that count as near their turn. One user's events are sent one by one, so later ones can wait. */
const NEAR_OF_LANE_MAX = 16;

/** Waits within the work of a lane. Meanwhile no item of the lane is near its turn. */
export type Rest = (wait: () => Promise<void>) => Promise<void>;

/** Learns which items are near their turn: the first few of every lane that does not rest. */
export interface Turns<T> {
  near(item: T): void;
  /** The item is done, or its lane rests. */
  noLongerNear(item: T): void;
}

interface Lane<T> {
  tail: Promise<void>;
  /** Work that is not done yet, in order. */
  items: T[];
  isResting: boolean;
}

/**
 * Runs work in order within a lane, and lanes concurrently. A lane that waits for a retry blocks no other lane. Lanes exist only
 * while they have work.
 */
export class Lanes<T> {
  private readonly lanes = new Map<string, Lane<T>>();

  constructor(private readonly turns: Turns<T>) {}

  /** Runs the item's work after everything earlier in its lane. Resolves when it is done. Failed work does not block its lane. */
  add(name: string, item: T, work: (rest: Rest) => Promise<void>): Promise<void> {
    const lane: Lane<T> = this.lanes.get(name) ?? { tail: Promise.resolve(), items: [], isResting: false };
    this.lanes.set(name, lane);
    lane.items.push(item);
    if (!lane.isResting && lane.items.length <= NEAR_OF_LANE_MAX) this.turns.near(item);
    const run = () => work((wait) => this.rest(lane, wait));
    const done = lane.tail.then(run, run);
    lane.tail = done;
    const leave = () => this.leave(name, lane, item);
    done.then(leave, leave);
    return done;
  }

  get size(): number {
    return this.lanes.size;
  }

  /** Removes the item at the head of the lane, and the lane with its last item. */
  private leave(name: string, lane: Lane<T>, item: T): void {
    lane.items.shift();
    this.turns.noLongerNear(item);
    const next = lane.items[NEAR_OF_LANE_MAX - 1];
    if (next !== undefined) this.turns.near(next);
    if (lane.items.length === 0) this.lanes.delete(name);
  }

  private async rest(lane: Lane<T>, wait: () => Promise<void>): Promise<void> {
    lane.isResting = true;
    for (const item of lane.items.slice(0, NEAR_OF_LANE_MAX)) this.turns.noLongerNear(item);
    try {
      await wait();
    } finally {
      lane.isResting = false;
      for (const item of lane.items.slice(0, NEAR_OF_LANE_MAX)) this.turns.near(item);
    }
  }
}
