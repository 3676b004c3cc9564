import { type DynamicModule, Module } from '@nestjs/common';
import type { ProcessName } from '@weir/contracts';
import { KitModule, Pepper, PepperGuard, pepperGuard } from '@weir/service-kit';
import type { FilterConfig } from './config.js';
import { SCHEMA } from './schema.js';
import { Attributes, MatchKeys } from './secrets/match-keys.js';

const HARM = 'no suppressed user would be recognised';

/** The providers that all processes of this service share: the database, the broker and the pepper. */
@Module({})
export class CoreModule {
  static register(process: ProcessName, config: FilterConfig): DynamicModule {
    return {
      module: CoreModule,
      imports: [KitModule.register({ process, config, schema: SCHEMA })],
      providers: [
        { provide: Pepper, useFactory: () => new Pepper(config.pepper) },
        pepperGuard({ variable: 'REGULATION_PEPPER', schema: SCHEMA.name, harm: HARM }),
        MatchKeys,
        Attributes,
      ],
      exports: [Pepper, PepperGuard, MatchKeys, Attributes],
    };
  }
}
