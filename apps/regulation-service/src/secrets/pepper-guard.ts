import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pepper } from './pepper.js';

/** Refuses the start with another pepper than the database was begun with: no suppressed user would be recognised. */
@Injectable()
export class PepperGuard implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
  ) {}

  async onModuleInit(): Promise<void> {
    const own = this.pepper.derivedKey('fingerprint');
    await this.dataSource.query('INSERT INTO pepper_fingerprint (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
      own,
    ]);
    const [kept] = await this.dataSource.query<{ fingerprint: string }[]>('SELECT fingerprint FROM pepper_fingerprint');
    if (kept?.fingerprint === own) return;
    throw new Error(
      'REGULATION_PEPPER is not the one that this database was begun with, so no suppressed user would be recognised. ' +
        'Restore the former one; it belongs to the backups of the database.',
    );
  }
}
