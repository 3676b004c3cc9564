import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Claimed, Lease } from './lease.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LEASE_RENEW_MS, LEASE_TTL_MS, LeaseTable } from './lease-table.js';
import type { MemberLink } from './member-link.js';

/** `WEIR_TEST_FULL=1` searches as many schedules as a release wants. */
const SCHEDULES = process.env['WEIR_TEST_FULL'] === '1' ? 10_000 : 200;
const SLOTS = 3;
const STEP_MS = 100;
const STEPS = 150;
/** After the last delay: a lease that nobody renews runs out, members take their share, and give up what is beyond it. */
const CALM_MS = 2 * LEASE_TTL_MS + 4 * LEASE_RENEW_MS;

/** The rows that the members of a role share, with the statements of `LeaseTable`. Its clock is the database's. */
class Rows {
  readonly leases = Array.from({ length: SLOTS }, () => ({ owner: '', epoch: 0, expiresAt: -1 }));
  readonly members = new Map<string, number>();
}

/** Runs each statement after a delay, and hands back its result after another one. */
class DelayedTable extends LeaseTable {
  constructor(
    private readonly rows: Rows,
    member: string,
    private readonly delay: () => number,
  ) {
    super({} as never, { role: 'filter', slots: SLOTS, member });
  }

  override async prepare(): Promise<void> {}

  override heartbeat(): Promise<{ share: number; members: string[] }> {
    return this.later((now) => {
      this.rows.members.set(this.member, now + LEASE_TTL_MS);
      const live = [...this.rows.members].filter(([, expiresAt]) => expiresAt >= now);
      return { share: Math.ceil(SLOTS / live.length), members: live.map(([member]) => member).sort() };
    });
  }

  override time(): Promise<string> {
    return this.later((now) => String(now));
  }

  override bury(member: string, since: string): Promise<boolean> {
    return this.later(() => {
      const isOld = (expiresAt = Number.POSITIVE_INFINITY) => expiresAt <= Number(since) + LEASE_TTL_MS;
      if (!isOld(this.rows.members.get(member))) return false;
      this.rows.members.delete(member);
      const freed = this.rows.leases.filter(({ owner, expiresAt }) => owner === member && isOld(expiresAt));
      for (const lease of freed) Object.assign(lease, { owner: '', expiresAt: -1 });
      buried += freed.length;
      return freed.length > 0;
    });
  }

  override renew(slots: number[]): Promise<number[]> {
    return this.later((now) =>
      slots.filter((slot) => {
        const lease = this.rows.leases[slot];
        if (!lease || lease.owner !== this.member || lease.expiresAt <= now) return false;
        lease.expiresAt = now + LEASE_TTL_MS;
        return true;
      }),
    );
  }

  override claim(count: number): Promise<Claimed[]> {
    return this.later((now) => {
      const free = this.rows.leases.map((lease, slot) => ({ lease, slot }));
      const claimed = free.filter(({ lease }) => !lease.owner || lease.expiresAt < now).slice(0, count);
      return claimed.map(({ lease, slot }) => {
        Object.assign(lease, { owner: this.member, epoch: lease.epoch + 1, expiresAt: now + LEASE_TTL_MS });
        return { slot, epoch: lease.epoch };
      });
    });
  }

  override async release(claimed: readonly Claimed[]): Promise<void> {
    await this.later(() => {
      for (const { slot, epoch } of claimed) {
        const lease = this.rows.leases[slot];
        if (lease?.owner === this.member && lease.epoch === epoch) Object.assign(lease, { owner: '', expiresAt: -1 });
      }
    });
  }

  override async leave(): Promise<void> {
    this.rows.members.delete(this.member);
  }

  /** As with a real one, a statement runs also after its caller has given up. */
  private async later<T>(statement: (now: number) => T): Promise<T> {
    const done = pass(this.delay())
      .then(() => statement(performance.now()))
      .then((result) => pass(this.delay()).then(() => result));
    const late = pass(LEASE_TTL_MS - LEASE_RENEW_MS).then(() => Promise.reject(new Error('late')));
    return Promise.race([done, late]);
  }
}

/** Leases that were freed for a member that the broker knew nothing of. */
let buried = 0;

/** The broker, as one member sees it: who is connected answers. */
class FakeLink implements MemberLink {
  upSince = 0;
  name = '';
  private readonly followers = new Set<() => void>();

  constructor(private readonly links: Set<FakeLink>) {
    links.add(this);
  }

  get isUp(): boolean {
    return this.upSince < Number.POSITIVE_INFINITY;
  }

  turn(isUp: boolean): void {
    if (this.isUp === isUp) return;
    this.upSince = isUp ? performance.now() : Number.POSITIVE_INFINITY;
    this.tell();
  }

  async reach(): Promise<void> {
    await pass(1);
    if (!this.isUp) throw new Error('the broker is away');
  }

  announce(): void {
    if (this.isUp) for (const link of this.links) link.tell();
  }

  follow(onNews: () => void): () => void {
    this.followers.add(onNews);
    return () => void this.followers.delete(onNews);
  }

  async answerFor(member: string): Promise<boolean> {
    this.name = member;
    return true;
  }

  async isGone(member: string): Promise<boolean> {
    await pass(1);
    return this.isUp && ![...this.links].some(({ name, isUp }) => name === member && isUp);
  }

  private tell(): void {
    for (const onNews of this.followers) onNews();
  }
}

const pass = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

describe('the leases of several members', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Mostly short, sometimes longer than a lease. */
  const delays = fc.infiniteStream(
    fc.oneof({ weight: 8, arbitrary: fc.nat(30) }, { weight: 2, arbitrary: fc.nat(2 * LEASE_TTL_MS) }),
  );

  /** In which steps a member loses or gets back its connection to the broker. */
  const turns = fc.array(fc.array(fc.nat(STEPS), { maxLength: 8 }), { minLength: 3, maxLength: 3 });

  it('are held by one member at a time, and all are held soon after the last delay', async () => {
    buried = 0;
    await fc.assert(
      fc.asyncProperty(
        delays,
        fc.array(fc.nat(STEPS), { minLength: 3, maxLength: 3 }),
        turns,
        async (ms, starts, cuts) => {
          let isCalm = false;
          const links = new Set<FakeLink>();
          const rows = new Rows();
          /** Those on which work may still go on. */
          const worked = new Set<Lease>();
          const delay = () => (isCalm ? 1 : (ms.next().value as number));
          const keepers = starts.map((_, n) => {
            const table = new DelayedTable(rows, `member-${n}`, delay);
            const take = (lease: Lease) => void worked.add(lease);
            // As a worker does: what runs may end in peace, unless it may not write anyway.
            const drop = async (lease: Lease) => {
              if (!lease.isHeld) return;
              await pass(delay());
              worked.delete(lease);
            };
            const holder = { take, drop };
            return new LeaseKeeper(table, holder, { warn: () => undefined }, new FakeLink(links));
          });
          for (let step = 0; step <= STEPS; step += 1) {
            for (const [n, start] of starts.entries()) if (start === step) keepers[n]?.start();
            for (const [n, link] of [...links].entries()) if (cuts[n]?.includes(step)) link.turn(!link.isUp);
            await jest.advanceTimersByTimeAsync(STEP_MS);
            expect(twice(worked)).toEqual([]);
          }
          isCalm = true;
          for (const link of links) link.turn(true);
          await jest.advanceTimersByTimeAsync(2 * LEASE_TTL_MS + CALM_MS);
          expect(twice(worked)).toEqual([]);
          expect(keepers.flatMap(({ slots }) => slots).sort()).toEqual([0, 1, 2]);
          const stopped = Promise.all(keepers.map((keeper) => keeper.stop()));
          await jest.advanceTimersByTimeAsync(2 * LEASE_TTL_MS);
          await stopped;
          jest.clearAllTimers();
        },
      ),
      { numRuns: SCHEDULES },
    );
    expect(buried).toBeGreaterThan(0);
  });
});

describe('a member that stops', () => {
  const DROP_MS = 3 * LEASE_TTL_MS;
  const quick = () => 1;
  const silent = { warn: () => undefined };
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.clearAllTimers();
    jest.useRealTimers();
  });

  it('holds its leases until the work on them has ended, however long that takes', async () => {
    const rows = new Rows();
    const leases: Lease[] = [];
    const take = (lease: Lease) => void leases.push(lease);
    const leaving = new LeaseKeeper(new DelayedTable(rows, 'a', quick), { take, drop: () => pass(DROP_MS) }, silent);
    leaving.start();
    await jest.advanceTimersByTimeAsync(LEASE_RENEW_MS);
    const stopped = leaving.stop();
    const others: Lease[] = [];
    const other = { take: (lease: Lease) => void others.push(lease), drop: async () => undefined };
    new LeaseKeeper(new DelayedTable(rows, 'b', quick), other, silent).start();
    for (let waited = 0; waited < DROP_MS; waited += STEP_MS) {
      expect(leases.map(({ isHeld }) => isHeld)).toEqual([true, true, true]);
      await jest.advanceTimersByTimeAsync(STEP_MS);
    }
    await jest.advanceTimersByTimeAsync(2 * LEASE_RENEW_MS);
    await stopped;
    expect(others).toHaveLength(SLOTS);
    expect(leases.map(({ isHeld }) => isHeld)).toEqual([false, false, false]);
  });

  it('tells of each lease as it becomes free, and another member takes it at once', async () => {
    const rows = new Rows();
    const links = new Set<FakeLink>();
    /** The work on a lease takes as many seconds as its number says. */
    const holder = { take: () => undefined, drop: ({ slot }: Lease) => pass(slot * 1_000) };
    const begin = (member: string) => {
      const keeper = new LeaseKeeper(new DelayedTable(rows, member, quick), holder, silent, new FakeLink(links));
      keeper.start();
      return keeper;
    };
    const leaving = begin('a');
    await jest.advanceTimersByTimeAsync(10);
    const other = begin('b');
    await jest.advanceTimersByTimeAsync(LEASE_TTL_MS);
    const own = leaving.slots.length;
    const found: number[] = [];
    const stopped = leaving.stop();
    for (let slot = 0; slot < SLOTS; slot += 1) {
      await jest.advanceTimersByTimeAsync(50);
      found.push(other.slots.length);
      await jest.advanceTimersByTimeAsync(950);
    }
    await stopped;
    expect(own).toBe(2);
    expect(found).toEqual([2, 3, 3]);
  });
});

/** Slots that more than one member may write to now. */
function twice(leases: Iterable<Lease>): number[] {
  const held = [...leases].filter(({ isHeld }) => isHeld).map(({ slot }) => slot);
  return held.filter((slot, n) => held.indexOf(slot) !== n);
}
