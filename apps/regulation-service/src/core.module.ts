import { type DynamicModule, Module } from '@nestjs/common';
import type { ProcessName } from '@weir/contracts';
import { KitModule, pepperGuard } from '@weir/service-kit';
import type { Config } from './config.js';
import { migrations } from './migrations/index.js';
import { Attributes } from './records/attributes.js';
import { Pepper } from './secrets/pepper.js';

const SCHEMA = 'regulation' as const;
const HARM = 'no suppressed user would be recognised';

/** The parts that all processes of this service share: the database, the broker and the pepper. */
@Module({})
export class CoreModule {
  static register(process: ProcessName, config: Config): DynamicModule {
    const { natsUrl, databaseUrl: url, databasePoolMax: poolMax, databaseDurability: durability, pepper } = config;
    const database = { schema: SCHEMA, url, poolMax, durability, migrations };
    const guard = pepperGuard({ pepper, variable: 'REGULATION_PEPPER', schema: SCHEMA, harm: HARM });
    return {
      module: CoreModule,
      imports: [KitModule.register({ process, natsUrl, database })],
      providers: [{ provide: Pepper, useFactory: () => new Pepper(pepper) }, guard, Attributes],
      exports: [Pepper, Attributes],
    };
  }
}
