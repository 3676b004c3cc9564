import { Lease } from './lease.js';
import { answeringId, LEASE_RENEW_MS, LEASE_TTL_MS, type LeaseTable } from './lease-table.js';
import type { MemberLink } from './member-link.js';
import { MemberWatch } from './member-watch.js';

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

/**
 * A member that has not reached the broker for this long lets its leases run out, because others may be able to work. A broker that
 * restarts within this time and {@link HELD_MS} costs nobody a lease.
 */
const BROKER_PATIENCE_MS = 3_000;
/**
 * Without the broker, a lease counts as held for this long after its renewal, because others may take it for a killed member's
 * (`MemberWatch`). So a member without the broker renews more often.
 */
export const ALONE_MS = 900;
const ALONE_RENEW_MS = 250;

/** Keeps a fair share of a role's leases, and stops work on a lease before another process may take it. */
export class LeaseKeeper {
  private readonly held = new Map<number, Lease>();
  /** Leases being given up. They are renewed until the work on them has ended. */
  private readonly ending = new Map<number, Lease>();
  private readonly givingUp = new Set<Promise<void>>();
  /** All times are from `performance.now()`. */
  private heardAt = 0;
  private reachedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isRunning = false;
  /** Something changed during a round, so the next one follows at once. */
  private isAgain = false;
  /** Takes no lease any more, and gives up those that it has. */
  private isLeaving = false;
  private stopped = false;
  private prepared = false;
  private unfollow: () => void = () => undefined;
  private readonly watch: MemberWatch | undefined;

  constructor(
    private readonly table: LeaseTable,
    private readonly holder: LeaseHolder,
    private readonly log: Log,
    private readonly link?: MemberLink,
  ) {
    this.watch = link && new MemberWatch(table, link, () => this.foundFree(link));
  }

  start(): void {
    this.unfollow = this.link?.follow(() => this.hear()) ?? this.unfollow;
    this.tick();
    this.watch?.start();
  }

  /** Gives up each lease as soon as the work on it has ended. Renews the others until then, however long that takes. */
  async stop(): Promise<void> {
    this.isLeaving = true;
    this.watch?.stop();
    await this.round;
    await this.table.leave().catch(() => undefined); // from now on the others share what becomes free
    this.giveUp([...this.held.values()]);
    this.wake();
    await Promise.all(this.givingUp);
    this.stopped = true;
    clearTimeout(this.timer);
    this.unfollow();
    await this.round;
  }

  get slots(): number[] {
    return [...this.held.keys()];
  }

  /** A lease may be free, or the connection to the broker ended or began. */
  private hear(): void {
    if (this.isAlone) for (const lease of this.all) lease.endBy(performance.now() + ALONE_MS);
    this.wake();
  }

  private foundFree(link: MemberLink): void {
    link.announce();
    this.wake();
  }

  /** Whether there is no connection to the broker, though the work needs one. */
  private get isAlone(): boolean {
    return this.link?.upSince === Number.POSITIVE_INFINITY;
  }

  private get all(): Lease[] {
    return [...this.held.values(), ...this.ending.values()];
  }

  /** Begins a round at once, or right after the running one. */
  private wake(): void {
    if (this.stopped) return;
    if (this.isRunning) this.isAgain = true;
    else this.tick();
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.isRunning = true;
    this.isAgain = false;
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
        this.isRunning = false;
        const wait = this.isAlone ? ALONE_RENEW_MS : LEASE_RENEW_MS;
        if (!this.stopped) this.timer = setTimeout(() => this.tick(), this.isAgain ? 0 : wait);
      });
  }

  private async balance(): Promise<void> {
    await this.reachBroker();
    if (this.isLeaving) return this.renew();
    await this.prepare();
    const { share, members } = await this.table.heartbeat();
    this.watch?.see(members);
    await this.renew();
    this.giveUp([...this.held.values()].slice(share));
    if (this.held.size >= share || this.isLeaving) return;
    await this.claim(share - this.held.size);
  }

  private async prepare(): Promise<void> {
    if (this.prepared) return;
    await this.table.prepare();
    const member = answeringId(this.table.member);
    if (await this.link?.answerFor(member)) this.table.member = member;
    this.prepared = true;
  }

  /** Throws if the broker has not answered for too long. */
  private async reachBroker(): Promise<void> {
    if (!this.link) return;
    const askedAt = performance.now();
    try {
      await this.link.reach();
      this.reachedAt = askedAt;
    } catch (error) {
      if (performance.now() > this.reachedAt + BROKER_PATIENCE_MS) throw error;
    }
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    const leases = this.all;
    if (leases.length === 0) return;
    const renewed = new Set(await this.table.renew(leases.map(({ slot }) => slot)));
    for (const lease of leases) {
      if (renewed.has(lease.slot)) lease.extend(this.heldUntil(askedAt));
      else this.lose(lease);
    }
  }

  private async claim(count: number): Promise<void> {
    const askedAt = performance.now();
    for (const claimed of await this.table.claim(count)) {
      const lease = new Lease(claimed, this.heldUntil(askedAt), (current) => this.table.advance(current));
      this.held.set(lease.slot, lease);
      this.holder.take(lease);
    }
  }

  /** How long a lease counts as held that was asked for then. The answer came now, and the connection may have ended meanwhile. */
  private heldUntil(askedAt: number): number {
    const wasConnected = !this.link || askedAt >= this.link.upSince;
    return askedAt + (wasConnected ? HELD_MS : ALONE_MS);
  }

  /** Gives up all leases if they have not been renewed for too long. Others may soon hold them. */
  private expire(): void {
    if (performance.now() - this.heardAt < HELD_MS) return;
    for (const lease of this.all) this.lose(lease);
  }

  /** Does not wait for the work on the lease. It must end by itself and may not write. */
  private lose(lease: Lease): void {
    lease.lose();
    if (this.held.get(lease.slot) !== lease) return;
    this.held.delete(lease.slot);
    this.holder.drop(lease).catch((error: Error) => this.warnOf(lease, error));
  }

  private giveUp(leases: readonly Lease[]): void {
    for (const lease of leases) {
      this.held.delete(lease.slot);
      this.ending.set(lease.slot, lease);
      const given = this.endAndRelease(lease).finally(() => this.givingUp.delete(given));
      this.givingUp.add(given);
    }
  }

  /** Ends the work on a lease before others may take it. Nobody writes under it afterwards. Never rejects. */
  private async endAndRelease(lease: Lease): Promise<void> {
    await this.holder.drop(lease).catch((error: Error) => this.warnOf(lease, error));
    if (this.ending.get(lease.slot) === lease) this.ending.delete(lease.slot);
    lease.lose();
    await this.table.release([lease]).then(
      () => this.link?.announce(),
      () => undefined, // it runs out
    );
  }

  private warnOf({ slot }: Lease, { message }: Error): void {
    this.log.warn(`slot ${slot} did not end cleanly: ${message}`);
  }
}
