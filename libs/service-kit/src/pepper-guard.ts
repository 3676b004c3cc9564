import { createSecretKey, hkdfSync } from 'node:crypto';
import type { OnModuleInit, Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ServiceSchema } from './database.js';

const FINGERPRINT_BYTES = 32;

export interface GuardedPepper {
  /** 32 bytes in base64. */
  pepper: string;
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
    private readonly database: DataSource,
    private readonly guarded: GuardedPepper,
  ) {}

  async onModuleInit(): Promise<void> {
    const own = fingerprintOf(this.guarded);
    await this.database.query('INSERT INTO pepper_fingerprint (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [own]);
    const [kept] = await this.database.query<{ fingerprint: string }[]>('SELECT fingerprint FROM pepper_fingerprint');
    if (kept?.fingerprint === own) return;
    const { variable, harm } = this.guarded;
    throw new Error(
      `${variable} is not the one that this database was begun with, so ${harm}. ` +
        'Restore the former one; it belongs to the backups of the database.',
    );
  }
}

export const pepperGuard = (guarded: GuardedPepper): Provider => ({
  provide: PepperGuard,
  inject: [DataSource],
  useFactory: (database: DataSource) => new PepperGuard(database, guarded),
});

/** Identifies the pepper without revealing it. Stored in databases, so it must never change. */
function fingerprintOf({ pepper, schema }: GuardedPepper): string {
  const key = createSecretKey(pepper, 'base64');
  return Buffer.from(hkdfSync('sha256', key, '', `weir/${schema}/fingerprint`, FINGERPRINT_BYTES)).toString('base64');
}
