import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '@weir/service-kit';
import { PurgeFence } from '../checks/purge-fence.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { DeadLetterBudget } from './dead-letter-budget.js';
import { DeadLetterDays } from './dead-letter-days.js';
import { DeadLetterWriter } from './dead-letter-writer.js';

/** Keeps the events that will not be tried again. */
@Module({})
export class DeadLettersModule {
  static register({ dayBytes }: { dayBytes: number }): DynamicModule {
    const budget = {
      provide: DeadLetterBudget,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new DeadLetterBudget(dayBytes, metrics),
    };
    const exports = [DeadLetterDays, DeadLetterRepository, DeadLetterWriter, PurgeFence];
    return { module: DeadLettersModule, providers: [...exports, budget], exports };
  }
}
