import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { OnModuleInit, Provider } from '@nestjs/common';
import type { ServiceSchema } from './database.js';
import { Database } from './sql.js';

const DERIVED_BYTES = 32;

/**
 * The secret with which a service makes keyed hashes of users. Other keys of the service are derived from it. During a rotation
 * there are several: the first one makes what is stored, and what any of them made is still found.
 */
export class Pepper {
  /** KeyObjects, because Node would turn raw bytes into one for each hash, at five times the cost. */
  private readonly keys: readonly KeyObject[];

  /** @param peppersBase64 32 bytes in base64, or several such texts, separated by commas */
  constructor(peppersBase64: string) {
    this.keys = peppersBase64.split(',').map((pepper) => createSecretKey(pepper, 'base64'));
  }

  /** Data of this service may stem from a pepper other than the first. */
  get isRotating(): boolean {
    return this.keys.length > 1;
  }

  /** HMAC-SHA-256 over the data, piece by piece. The caller makes sure that no piece can pass for the end of another. */
  hmac(...pieces: (string | Buffer)[]): Buffer {
    return this.hmacs(...pieces)[0] as Buffer;
  }

  /** The same under every pepper, the first one first. */
  hmacs(...pieces: (string | Buffer)[]): Buffer[] {
    return this.keys.map((key) =>
      pieces.reduce((hmac, piece) => hmac.update(piece), createHmac('sha256', key)).digest(),
    );
  }

  /**
   * A key for one purpose (HKDF): 32 bytes in base64 for each pepper, separated by commas. Stored data depends on it, so a purpose
   * never changes its name.
   */
  derive(purpose: string): string {
    const derived = this.keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, DERIVED_BYTES)));
    return derived.map((bytes) => bytes.toString('base64')).join(',');
  }
}

export interface GuardedPepper {
  /** The environment variable that it comes from. */
  variable: string;
  schema: ServiceSchema;
  /** The harm that a missing pepper would do, for the error message. */
  harm: string;
}

/**
 * Refuses to start without a pepper that stored data depends on. Each start writes the fingerprint of the first pepper into
 * `peppers`. Fingerprints do not reveal a pepper.
 */
export class PepperGuard implements OnModuleInit {
  private readonly own: readonly string[];

  constructor(
    private readonly database: Database,
    pepper: Pepper,
    private readonly guarded: GuardedPepper,
  ) {
    this.own = pepper.derive(`weir/${guarded.schema}/fingerprint`).split(',');
  }

  async onModuleInit(): Promise<void> {
    const { variable, harm } = this.guarded;
    const missing = await this.database.transaction(async (sql) => {
      // If two first starts have different peppers, one of them must see the other's.
      await sql.run('LOCK TABLE peppers IN SHARE ROW EXCLUSIVE MODE');
      const { rows } = await sql.run('SELECT FROM peppers WHERE fingerprint <> ALL ($1)', [this.own]);
      if (rows.length > 0) return true;
      await sql.run('INSERT INTO peppers (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [this.own[0]]);
      return false;
    });
    if (!missing) return;
    throw new Error(
      `${variable} lacks a pepper that this database was used with, so ${harm}. ` +
        'Restore it. It belongs to the backups of the database.',
    );
  }

  /** Forgets the other peppers, once nothing stored depends on them. */
  async keepOnlyFirst(): Promise<void> {
    const [first] = this.own;
    await this.database.run('DELETE FROM peppers WHERE fingerprint <> $1', [first]);
    // The release before reads this table, so a rollback goes on working.
    await this.database.run('UPDATE pepper_fingerprint SET fingerprint = $1', [first]);
  }
}

/** Fingerprints of the peppers that stored data depends on. The releases before wrote the table of one row. */
export const PEPPERS_TABLE_SQL = `
  CREATE TABLE peppers (fingerprint text PRIMARY KEY);
  INSERT INTO peppers SELECT fingerprint FROM pepper_fingerprint`;

/** Guards the {@link Pepper} that the module provides. */
export const pepperGuard = (guarded: GuardedPepper): Provider => ({
  provide: PepperGuard,
  inject: [Database, Pepper],
  useFactory: (database: Database, pepper: Pepper) => new PepperGuard(database, pepper, guarded),
});
