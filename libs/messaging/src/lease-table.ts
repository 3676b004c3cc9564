import { randomUUID } from 'node:crypto';
import { within } from './concurrency.js';
import { type Claimed, LeaseLostError } from './lease.js';
import type { Rows, Sql, SqlDatabase } from './sql.js';

/** Leases and their holders, one set of rows per role. Part of the owning service's first migration. */
export const LEASE_TABLE_SQL = `
  CREATE TABLE lease_members (
    role text NOT NULL, member text NOT NULL, expires_at timestamptz NOT NULL,
    PRIMARY KEY (role, member)
  );
  CREATE TABLE leases (
    role text NOT NULL, slot integer NOT NULL, owner text, epoch bigint NOT NULL DEFAULT 0, expires_at timestamptz,
    PRIMARY KEY (role, slot)
  )`;

/** A holder that is silent for this long loses its leases. A killed one loses them earlier (`MemberWatch`). */
export const LEASE_TTL_MS = 4_000;
export const LEASE_RENEW_MS = 1_000;
/** Timeout of one query. A later answer is useless, and the next query uses another connection that may work better. */
const ANSWER_TIMEOUT_MS = LEASE_TTL_MS - LEASE_RENEW_MS;

/** Marks the ids of members that answer questions on their subject. Members of earlier releases do not. */
const ANSWERING = 'answering-';
export const answeringId = (member: string): string => `${ANSWERING}${member}`;
export const isAnswering = (member: string): boolean => member.startsWith(ANSWERING);

/** Shares `slots` numbered leases of a role evenly among the live members. All times are the database's. */
export class LeaseTable {
  /** The keeper changes it before the first heartbeat, if this member answers. */
  member: string;

  constructor(
    private readonly database: SqlDatabase,
    private readonly options: { role: string; slots: number; member?: string; ttlMs?: number },
  ) {
    this.member = options.member ?? randomUUID();
  }

  get slots(): number {
    return this.options.slots;
  }

  async prepare(): Promise<void> {
    const sql = `INSERT INTO leases (role, slot) SELECT $1, generate_series(0, $2::int - 1) ON CONFLICT DO NOTHING`;
    await this.ask(sql, [this.options.role, this.options.slots]);
  }

  /**
   * Registers this member as alive. Returns its fair share of the slots, and all living members in order. Cuts what would last longer than a renewal lasts, because
   * the database's clock may have been set back. It never waits for a row that its member is changing.
   */
  async heartbeat(): Promise<{ share: number; members: string[] }> {
    const { role, slots } = this.options;
    const { rows } = await this.ask<{ member: string }>(
      `WITH beat AS (
         INSERT INTO lease_members (role, member, expires_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond')
         ON CONFLICT (role, member) DO UPDATE SET expires_at = excluded.expires_at
       ), buried AS (
         DELETE FROM lease_members WHERE role = $1 AND member IN (
           SELECT member FROM lease_members WHERE role = $1 AND member <> $2 AND expires_at < now() FOR UPDATE SKIP LOCKED
         )
       ), cut_members AS (
         UPDATE lease_members SET expires_at = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE role = $1 AND member IN (
           SELECT member FROM lease_members WHERE role = $1 AND member <> $2
           AND expires_at > clock_timestamp() + $3 * interval '1 millisecond' FOR UPDATE SKIP LOCKED
         )
       ), cut_leases AS (
         UPDATE leases SET expires_at = clock_timestamp() + $3 * interval '1 millisecond' WHERE role = $1 AND slot IN (
           SELECT slot FROM leases WHERE role = $1
           AND expires_at > clock_timestamp() + $3 * interval '1 millisecond' FOR UPDATE SKIP LOCKED
         )
       )
       SELECT member FROM lease_members WHERE role = $1 AND member <> $2 AND expires_at >= now()`,
      [role, this.member, this.ttlMs],
    );
    const members = [this.member, ...rows.map(({ member }) => member)].sort();
    return { share: Math.ceil(slots / members.length), members };
  }

  /** Extends the leases of `slots` that this member still holds and returns them. Does not revive an expired lease. */
  async renew(slots: number[]): Promise<number[]> {
    const { rows } = await this.ask<{ slot: number }>(
      `UPDATE leases SET expires_at = now() + $3 * interval '1 millisecond'
       WHERE role = $1 AND owner = $2 AND expires_at > now() AND slot = ANY($4::int[]) RETURNING slot`,
      [this.options.role, this.member, this.ttlMs, slots],
    );
    return rows.map(({ slot }) => slot);
  }

  /** Takes up to `count` leases that nobody holds. */
  async claim(count: number): Promise<Claimed[]> {
    const { rows } = await this.ask<{ slot: number; epoch: string }>(
      `UPDATE leases SET owner = $2, epoch = leases.epoch + 1, expires_at = now() + $3 * interval '1 millisecond'
       FROM (
         SELECT slot FROM leases WHERE role = $1 AND (owner IS NULL OR expires_at < now())
         ORDER BY slot LIMIT $4 FOR UPDATE SKIP LOCKED
       ) AS free
       WHERE leases.role = $1 AND leases.slot = free.slot
       RETURNING leases.slot, leases.epoch`,
      [this.options.role, this.member, this.ttlMs, count],
    );
    return rows.map(({ slot, epoch }) => ({ slot, epoch: Number(epoch) }));
  }

  /** Begins the next epoch of a slot. Undefined if this member does not hold the slot. */
  async advance({ slot, epoch }: Claimed): Promise<number | undefined> {
    const { rows } = await this.ask<{ epoch: string }>(
      `UPDATE leases SET epoch = epoch + 1
       WHERE role = $1 AND owner = $2 AND slot = $3 AND epoch >= $4 AND expires_at > now() RETURNING epoch`,
      [this.options.role, this.member, slot, epoch],
    );
    return rows[0] && Number(rows[0].epoch);
  }

  /**
   * Fences a transaction of the holder: throws `LeaseLostError` unless this member still holds the slot. Nobody else can take it
   * before the transaction ends.
   */
  async confirm(sql: Sql, { slot, epoch }: Claimed): Promise<void> {
    const { count } = await sql.run(
      `SELECT FROM leases WHERE role = $1 AND owner = $2 AND slot = $3 AND epoch = $4 AND expires_at > now() FOR SHARE`,
      [this.options.role, this.member, slot, epoch],
    );
    if (count === 0) throw new LeaseLostError(slot);
  }

  /** Releases only the named epochs, so that a late release cannot end a newer claim. */
  async release(claimed: readonly Claimed[]): Promise<void> {
    await this.ask(
      `UPDATE leases SET owner = NULL, expires_at = NULL FROM unnest($3::int[], $4::bigint[]) AS given (slot, epoch)
       WHERE role = $1 AND owner = $2 AND leases.slot = given.slot AND leases.epoch = given.epoch`,
      [this.options.role, this.member, claimed.map(({ slot }) => slot), claimed.map(({ epoch }) => epoch)],
    );
  }

  /** The database's time. */
  async time(): Promise<string> {
    const { rows } = await this.ask<{ time: string }>(`SELECT now()::text AS time`, []);
    return rows[0]?.time ?? '';
  }

  /** Frees the leases of another member, unless it has renewed them since that time. Returns whether any became free. */
  async bury(member: string, since: string): Promise<boolean> {
    const { count } = await this.ask(
      `WITH gone AS (
         DELETE FROM lease_members
         WHERE role = $1 AND member = $2 AND expires_at <= $4::timestamptz + $3 * interval '1 millisecond' RETURNING member
       )
       UPDATE leases SET owner = NULL, expires_at = NULL WHERE role = $1 AND slot IN (
         SELECT slot FROM leases WHERE role = $1 AND owner = $2 AND EXISTS (SELECT FROM gone)
         AND expires_at <= $4::timestamptz + $3 * interval '1 millisecond' FOR UPDATE SKIP LOCKED
       )`,
      [this.options.role, member, this.ttlMs, since],
    );
    return count > 0;
  }

  /** Lets the other members take over at once. */
  async leave(): Promise<void> {
    await this.ask(`DELETE FROM lease_members WHERE role = $1 AND member = $2`, [this.options.role, this.member]);
  }

  private ask<Row>(sql: string, parameters: unknown[]): Promise<Rows<Row>> {
    return within(ANSWER_TIMEOUT_MS, 'the database', this.database.run<Row>(sql, parameters));
  }

  private get ttlMs(): number {
    return this.options.ttlMs ?? LEASE_TTL_MS;
  }
}
