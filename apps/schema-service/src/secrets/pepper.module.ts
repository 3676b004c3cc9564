import { type DynamicModule, Module } from '@nestjs/common';
import { pepperGuard } from '@weir/service-kit';
import { Pepper } from './pepper.js';

const HARM = 'deletions would leave values of their users behind';

@Module({})
export class PepperModule {
  static register(pepperBase64: string): DynamicModule {
    const pepper = { provide: Pepper, useFactory: () => new Pepper(pepperBase64) };
    const guard = pepperGuard({ pepper: pepperBase64, variable: 'SCHEMA_PEPPER', schema: 'schemas', harm: HARM });
    return { module: PepperModule, global: true, providers: [pepper, guard], exports: [Pepper] };
  }
}
