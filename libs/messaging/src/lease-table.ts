import { randomUUID } from 'node:crypto';
import type { Database } from './sql.js';

/** Leases and their holders, one set of rows a role; part of the owning service's first migration. */
export const LEASE_TABLE_SQL = `
  CREATE TABLE lease_members (
    role text NOT NULL, member text NOT NULL, expires_at timestamptz NOT NULL,
    PRIMARY KEY (role, member)
  );
  CREATE TABLE leases (
    role text NOT NULL, slot integer NOT NULL, owner text, epoch bigint NOT NULL DEFAULT 0, expires_at timestamptz,
    PRIMARY KEY (role, slot)
  )`;

/** A holder that is not heard of for so long has lost its leases: how long a killed process blocks its partitions. */
export const LEASE_TTL_MS = 4_000;
export const LEASE_RENEW_MS = 1_000;

/** Shares `slots` numbered leases of a role evenly over the live members. All times are the database's. */
export class LeaseTable {
  readonly member: string;

  constructor(
    private readonly database: Database,
    private readonly options: { role: string; slots: number; member?: string; ttlMs?: number },
  ) {
    this.member = options.member ?? randomUUID();
  }

  get slots(): number {
    return this.options.slots;
  }

  async prepare(): Promise<void> {
    const sql = `INSERT INTO leases (role, slot) SELECT $1, generate_series(0, $2::int - 1) ON CONFLICT DO NOTHING`;
    await this.database.query(sql, [this.options.role, this.options.slots]);
  }

  /** Says that this member lives; answers how many slots are its fair share. */
  async heartbeat(): Promise<number> {
    const { role, slots } = this.options;
    const [row] = await this.database.query<{ live: number }[]>(
      `WITH beat AS (
         INSERT INTO lease_members (role, member, expires_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond')
         ON CONFLICT (role, member) DO UPDATE SET expires_at = excluded.expires_at
       ), buried AS (
         DELETE FROM lease_members WHERE role = $1 AND member <> $2 AND expires_at < now()
       )
       SELECT count(*)::int + 1 AS live FROM lease_members WHERE role = $1 AND member <> $2 AND expires_at >= now()`,
      [role, this.member, this.ttlMs],
    );
    return Math.ceil(slots / (row?.live ?? 1));
  }

  /** Extends those of `slots` that this member still holds and answers them; a lease that has expired is not revived. */
  async renew(slots: number[]): Promise<number[]> {
    const [rows] = await this.database.query<[{ slot: number }[], number]>(
      `UPDATE leases SET expires_at = now() + $3 * interval '1 millisecond'
       WHERE role = $1 AND owner = $2 AND expires_at > now() AND slot = ANY($4::int[]) RETURNING slot`,
      [this.options.role, this.member, this.ttlMs, slots],
    );
    return rows.map(({ slot }) => slot);
  }

  /** Takes up to `count` leases that nobody holds. */
  async claim(count: number): Promise<number[]> {
    const [rows] = await this.database.query<[{ slot: number }[], number]>(
      `UPDATE leases SET owner = $2, epoch = leases.epoch + 1, expires_at = now() + $3 * interval '1 millisecond'
       FROM (
         SELECT slot FROM leases WHERE role = $1 AND (owner IS NULL OR expires_at < now())
         ORDER BY slot LIMIT $4 FOR UPDATE SKIP LOCKED
       ) AS free
       WHERE leases.role = $1 AND leases.slot = free.slot
       RETURNING leases.slot`,
      [this.options.role, this.member, this.ttlMs, count],
    );
    return rows.map(({ slot }) => slot);
  }

  async release(slots: number[]): Promise<void> {
    await this.database.query(
      `UPDATE leases SET owner = NULL, expires_at = NULL WHERE role = $1 AND owner = $2 AND slot = ANY($3::int[])`,
      [this.options.role, this.member, slots],
    );
  }

  /** Lets the others take over at once. */
  async leave(): Promise<void> {
    await this.database.query(`DELETE FROM lease_members WHERE role = $1 AND member = $2`, [
      this.options.role,
      this.member,
    ]);
  }

  private get ttlMs(): number {
    return this.options.ttlMs ?? LEASE_TTL_MS;
  }
}
