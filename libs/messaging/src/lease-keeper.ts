import { Lease } from './lease.js';
import { LEASE_RENEW_MS, LEASE_TTL_MS, type LeaseTable } from './lease-table.js';

export interface LeaseHolder {
  /** Start work on a slot. */
  take(lease: Lease): void;
  /**
   * Stop work on a slot. The keeper releases a lease that is still held when this settles. For a lost lease it does not wait, and
   * any work that continues may not write.
   */
  drop(lease: Lease): Promise<void>;
}

export interface Log {
  warn(message: string): void;
}

/** How long a lease counts as held after the request for it. A little shorter than the time after which others may take it. */
const HELD_MS = LEASE_TTL_MS - LEASE_RENEW_MS;

/** Keeps a fair share of a role's leases, and stops work on a lease before another process may take it. */
export class LeaseKeeper {
  private readonly held = new Map<number, Lease>();
  /** Leases being given up. They are renewed until the work on them has ended. */
  private readonly ending = new Map<number, Lease>();
  /** All times are from `performance.now()`. */
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
    await this.giveUp([...this.held.values()]);
    await this.table.leave().catch(() => undefined);
  }

  get slots(): number[] {
    return [...this.held.keys()];
  }

  private tick(): void {
    const startedAt = performance.now();
    const expiry = setTimeout(() => this.expire(), Math.max(0, this.heardAt + HELD_MS - startedAt));
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
    await this.renew();
    void this.giveUp([...this.held.values()].slice(share));
    if (this.held.size >= share || this.stopped) return;
    await this.claim(share - this.held.size);
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    const leases = [...this.held.values(), ...this.ending.values()];
    const renewed = new Set(await this.table.renew(leases.map(({ slot }) => slot)));
    for (const lease of leases) {
      if (renewed.has(lease.slot)) lease.extend(askedAt + HELD_MS);
      else this.lose(lease);
    }
  }

  private async claim(count: number): Promise<void> {
    const askedAt = performance.now();
    for (const claimed of await this.table.claim(count)) {
      const lease = new Lease(claimed, askedAt + HELD_MS, (current) => this.table.advance(current));
      this.held.set(lease.slot, lease);
      this.holder.take(lease);
    }
  }

  /** Gives up all leases if the database has not answered for too long. Others may soon hold them. */
  private expire(): void {
    if (performance.now() - this.heardAt < HELD_MS) return;
    for (const lease of [...this.held.values(), ...this.ending.values()]) this.lose(lease);
  }

  /** Does not wait for the work on the lease. It must end by itself and may not write. */
  private lose(lease: Lease): void {
    lease.lose();
    if (this.held.get(lease.slot) !== lease) return;
    this.held.delete(lease.slot);
    this.holder
      .drop(lease)
      .catch((error: Error) => this.log.warn(`slot ${lease.slot} did not end cleanly: ${error.message}`));
  }

  /** Ends the work on the leases before it releases them. */
  private async giveUp(leases: Lease[]): Promise<void> {
    if (leases.length === 0) return;
    for (const lease of leases) {
      this.held.delete(lease.slot);
      this.ending.set(lease.slot, lease);
    }
    await Promise.allSettled(leases.map((lease) => this.holder.drop(lease)));
    for (const lease of leases) if (this.ending.get(lease.slot) === lease) this.ending.delete(lease.slot);
    await this.table.release(leases).catch(() => undefined);
  }
}
