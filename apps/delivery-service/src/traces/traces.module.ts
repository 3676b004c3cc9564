import { type DynamicModule, Module } from '@nestjs/common';
import { AnswerLease } from '../checks/answer-lease.js';
import { PurgeFence } from '../checks/purge-fence.js';
import { SuppressionCheck } from '../checks/suppression-check.js';
import { TraceRepository } from './trace.repository.js';
import { TraceBudget } from './trace-budget.js';
import { TraceDays } from './trace-days.js';
import { TraceWriter } from './trace-writer.js';
import { Traces } from './traces.js';

/** Notes what happens to events. */
@Module({})
export class TracesModule {
  static register({ tracesPerSecond, liveCode }: { tracesPerSecond: number; liveCode: DynamicModule }): DynamicModule {
    const budget = { provide: TraceBudget, useFactory: () => new TraceBudget(tracesPerSecond) };
    return {
      module: TracesModule,
      imports: [liveCode],
      providers: [Traces, TraceWriter, TraceRepository, TraceDays, AnswerLease, SuppressionCheck, PurgeFence, budget],
      exports: [Traces, TraceRepository, TraceDays, SuppressionCheck],
    };
  }
}
