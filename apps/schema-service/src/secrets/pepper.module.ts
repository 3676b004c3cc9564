import { type DynamicModule, Module } from '@nestjs/common';
import { Pepper } from './pepper.js';
import { PepperGuard } from './pepper-guard.js';

@Module({})
export class PepperModule {
  static register(pepperBase64: string): DynamicModule {
    const pepper = { provide: Pepper, useFactory: () => new Pepper(pepperBase64) };
    return { module: PepperModule, global: true, providers: [pepper, PepperGuard], exports: [Pepper] };
  }
}
