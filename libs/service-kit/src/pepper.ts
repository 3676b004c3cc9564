import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { OnModuleInit, Provider } from '@nestjs/common';
import type { ServiceSchema } from './database.js';
import { Database } from './sql.js';

const DERIVED_BYTES = 32;

/** The secret with which a service makes keyed hashes of users. Other keys of the service are derived from it. */
export class Pepper {
  /** A KeyObject, because Node would turn raw bytes into one for each hash, at five times the cost. */
  private readonly key: KeyObject;

  /** @param pepperBase64 32 bytes in base64 */
  constructor(pepperBase64: string) {
    this.key = createSecretKey(pepperBase64, 'base64');
  }

  /** HMAC-SHA-256 over the data, piece by piece. The caller makes sure that no piece can pass for the end of another. */
  hmac(...pieces: (string | Buffer)[]): Buffer {
    return pieces.reduce((hmac, piece) => hmac.update(piece), createHmac('sha256', this.key)).digest();
  }

  /** A key for one purpose (HKDF): 32 bytes in base64. Stored data depends on it, so a purpose never changes its name. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync('sha256', this.key, '', purpose, DERIVED_BYTES)).toString('base64');
  }
}

export interface GuardedPepper {
  /** The environment variable that it comes from. */
  variable: string;
  schema: ServiceSchema;
  /** The harm that another pepper would do, for the error message. */
  harm: string;
}

/**
 * Refuses to start with a pepper other than the one the database was first used with. The first start writes the pepper's
 * fingerprint into `pepper_fingerprint`, a table of one row.
 */
export class PepperGuard implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly pepper: Pepper,
    private readonly guarded: GuardedPepper,
  ) {}

  async onModuleInit(): Promise<void> {
    const { variable, schema, harm } = this.guarded;
    const own = this.pepper.derive(`weir/${schema}/fingerprint`);
    await this.database.run('INSERT INTO pepper_fingerprint (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [own]);
    const { rows } = await this.database.run<{ fingerprint: string }>('SELECT fingerprint FROM pepper_fingerprint');
    if (rows[0]?.fingerprint === own) return;
    throw new Error(
      `${variable} is not the one that this database was first used with, so ${harm}. ` +
        'Restore the previous one. It belongs to the backups of the database.',
    );
  }
}

/** Guards the {@link Pepper} that the module provides. */
export const pepperGuard = (guarded: GuardedPepper): Provider => ({
  provide: PepperGuard,
  inject: [Database, Pepper],
  useFactory: (database: Database, pepper: Pepper) => new PepperGuard(database, pepper, guarded),
});
