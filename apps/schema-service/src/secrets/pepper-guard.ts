import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pepper } from './pepper.js';

/** Refuses the start with another pepper than the database was begun with: no value would be known as its user's. */
@Injectable()
export class PepperGuard implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
  ) {}

  async onModuleInit(): Promise<void> {
    const own = this.pepper.fingerprint;
    await this.dataSource.query('INSERT INTO pepper_fingerprint (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
      own,
    ]);
    const [kept] = await this.dataSource.query<{ fingerprint: string }[]>('SELECT fingerprint FROM pepper_fingerprint');
    if (kept?.fingerprint === own) return;
    throw new Error(
      'SCHEMA_PEPPER is not the one that this database was begun with, so deletions would leave values of their users behind. ' +
        'Restore the former one; it belongs to the backups of the database.',
    );
  }
}
