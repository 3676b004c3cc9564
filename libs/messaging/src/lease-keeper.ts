import { LEASE_RENEW_MS, LEASE_TTL_MS, type LeaseTable } from './lease-table.js';

export interface LeaseHolder {
  /** Start working on a slot. */
  take(slot: number): void;
  /** Stop working on a slot; the lease is given up when this has settled. */
  drop(slot: number): Promise<void>;
}

export interface Log {
  warn(message: string): void;
}

/** Work stops when the leases could not be renewed for so long: a little before anybody else may take them. */
const SILENCE_MAX_MS = LEASE_TTL_MS - LEASE_RENEW_MS;

/** Keeps a fair share of a role's leases, and stops work on a lease before anybody else may take it. */
export class LeaseKeeper {
  private readonly held = new Set<number>();
  /** Work on them has not ended yet. */
  private readonly ending = new Set<number>();
  private heardAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;
  private prepared = false;

  constructor(
    private readonly table: LeaseTable,
    private readonly holder: LeaseHolder,
    private readonly log: Log,
  ) {}

  start(): void {
    this.tick();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
    await this.giveUp([...this.held]);
    await this.table.leave().catch(() => undefined);
  }

  get slots(): number[] {
    return [...this.held];
  }

  private tick(): void {
    const startedAt = Date.now();
    const expiry = setTimeout(() => this.expire(), Math.max(0, this.heardAt + SILENCE_MAX_MS - startedAt));
    this.round = this.balance()
      .then(() => {
        this.heardAt = startedAt;
      })
      .catch((error: Error) => {
        this.log.warn(`leases cannot be renewed: ${error.message}`);
        this.expire();
      })
      .finally(() => {
        clearTimeout(expiry);
        if (!this.stopped) this.timer = setTimeout(() => this.tick(), LEASE_RENEW_MS);
      });
  }

  private async balance(): Promise<void> {
    if (!this.prepared) await this.table.prepare();
    this.prepared = true;
    const share = await this.table.heartbeat();
    // Only what is worked on: a lease that outlived its work runs out, and is claimed anew.
    const renewed = new Set(await this.table.renew([...this.held, ...this.ending]));
    for (const slot of [...this.held].filter((one) => !renewed.has(one))) void this.lose(slot);
    void this.giveUp([...this.held].slice(share));
    if (this.held.size >= share || this.stopped) return;
    for (const slot of await this.table.claim(share - this.held.size)) {
      this.held.add(slot);
      this.holder.take(slot);
    }
  }

  /** The database was not heard of for too long: others may soon hold what this member believes to hold. */
  private expire(): void {
    if (Date.now() - this.heardAt < SILENCE_MAX_MS) return;
    for (const slot of [...this.held]) void this.lose(slot);
  }

  private async lose(slot: number): Promise<void> {
    this.held.delete(slot);
    this.ending.add(slot);
    await this.holder.drop(slot).finally(() => this.ending.delete(slot));
  }

  /** Work on the slots ends before they are free. */
  private async giveUp(slots: number[]): Promise<void> {
    if (slots.length === 0) return;
    await Promise.all(slots.map((slot) => this.lose(slot)));
    await this.table.release(slots).catch(() => undefined);
  }
}
