import { type DynamicModule, Module } from '@nestjs/common';
import { Sealer } from '@weir/service-kit';
import { CodeRunner, CredentialCache } from '@weir/stages';
import { InventoryModule } from '../inventory/inventory.module.js';
import { LiveCode } from './live-code.js';
import { ReleaseTable } from './release-table.js';
import { Trials } from './trials.js';
import { UsedRevisionRepository, UsedRevisions } from './used-revisions.js';

/** Knows and runs the code that is live, and reports how new revisions do. */
@Module({})
export class LiveCodeModule {
  static register({ encryptionKey }: { encryptionKey: string }): DynamicModule {
    const sealer = { provide: Sealer, useFactory: () => new Sealer(encryptionKey) };
    return {
      module: LiveCodeModule,
      imports: [InventoryModule],
      providers: [
        LiveCode,
        ReleaseTable,
        Trials,
        UsedRevisions,
        UsedRevisionRepository,
        CodeRunner,
        CredentialCache,
        sealer,
      ],
      exports: [LiveCode, UsedRevisionRepository, CodeRunner, Sealer],
    };
  }
}
