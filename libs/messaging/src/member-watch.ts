import { isAnswering, type LeaseTable } from './lease-table.js';
import type { MemberLink } from './member-link.js';

/** Interval between two questions to the next member. */
const ASK_MS = 200;
/** Questions in a row after which a member is gone: over more time than it works on without the broker (`ALONE_MS`). */
const GONE_AFTER = 6;
/** After the broker restarted, others may need a moment longer to come back. */
const CONNECTED_MS = 2_000;

/**
 * Frees the leases of a killed member at once. Each member asks the next one whether it is there. The broker knows when a connection
 * has ended, and only its word counts: a member that is paused, or busy, has one and does not answer.
 *
 * Two things keep a member that lives from losing what it works on. A member without the broker works on only for a moment after it
 * renewed its leases (`LeaseKeeper`). And nothing is freed that was renewed since the first question without an answer.
 */
export class MemberWatch {
  private members: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private asked = '';
  private misses = 0;
  /** The database's time after the first miss. */
  private missingSince = '';

  constructor(
    private readonly table: LeaseTable,
    private readonly link: MemberLink,
    private readonly onFree: () => void,
  ) {}

  /** All members as of now, in the order in which they ask each other. */
  see(members: readonly string[]): void {
    this.members = members.filter(isAnswering);
  }

  start(): void {
    this.timer = setTimeout(() => this.turn(), ASK_MS);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Without the database or the broker, the next question begins anew. */
  private async turn(): Promise<void> {
    await this.ask().catch(() => this.forget());
    if (!this.isStopped) this.start();
  }

  private async ask(): Promise<void> {
    const { table, link } = this;
    const next = this.next();
    if (next !== this.asked) this.forget();
    this.asked = next;
    const isSettled = performance.now() > link.upSince + CONNECTED_MS;
    if (!next || !isSettled || !(await link.isGone(next))) return this.forget();
    if (this.missingSince) this.misses += 1;
    else this.missingSince = await table.time();
    if (this.misses < GONE_AFTER) return;
    const since = this.missingSince;
    this.forget();
    if (await table.bury(next, since)) this.onFree();
  }

  private forget(): void {
    this.misses = 0;
    this.missingSince = '';
  }

  /** The member after this one. Empty if there is no other. */
  private next(): string {
    const { member } = this.table;
    const others = this.members.filter((other) => other !== member);
    return others.find((other) => other > member) ?? others[0] ?? '';
  }
}
