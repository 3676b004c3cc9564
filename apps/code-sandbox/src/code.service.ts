import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { CheckCode, ReplyOf, RequestOf, RunCode } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';
import { maskedReply, maskerOf } from './mask.js';
import { replyOf } from './outcome.js';
import { ChildPool } from './pool/child-pool.js';
import { poolMetrics } from './pool/pool-metrics.js';
import { RunFetches } from './run-fetches.js';
import { userErrorOf } from './user-error.js';

export const SANDBOX = Symbol('SANDBOX');

export interface SandboxOptions {
  /** The built child. */
  script: string;
  /** Child processes with a workspace each. */
  children: number;
  /** Wall clock of one run. */
  limitMs: number;
  /** Heap of one isolate; MEMORY_MB by default. */
  memoryMb?: number;
}

/** Runs and checks user code in child processes. Code that fails is a result; only a busy sandbox is an error. */
@Injectable()
export class CodeService implements OnModuleDestroy {
  private readonly pool: ChildPool;
  private readonly duration;

  constructor(
    @Inject(SANDBOX) options: SandboxOptions,
    private readonly rpc: RpcClient,
    health: Health,
    metrics: Metrics,
  ) {
    this.duration = metrics.histogram({
      name: 'weir_sandbox_run_seconds',
      help: 'From request to answer, waiting for a child included',
      labelNames: ['outcome'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5, 10],
    });
    this.pool = new ChildPool({
      ...options,
      log: new Logger('ChildPool'),
      observer: poolMetrics(metrics),
    });
    health.register('sandbox', () => this.pool.notReadyReason);
  }

  async run(request: RequestOf<typeof RunCode>): Promise<ReplyOf<typeof RunCode>> {
    const { workspaceId, bundle, events, mode, allowFetch = false, credentials = [] } = request;
    const startedAt = performance.now();
    const fetches = new RunFetches(this.rpc, workspaceId);
    const answer = await this.pool.perform(
      workspaceId,
      {
        kind: 'run',
        bundle,
        eventsJson: JSON.stringify(events),
        collectLogs: mode === 'test',
        allowFetch,
        credentials,
      },
      fetches.fetch,
    );
    this.duration.observe({ outcome: answer.failure?.kind ?? 'done' }, (performance.now() - startedAt) / 1_000);
    const isShown = mode === 'test' && fetches.records.length > 0;
    const reply = { ...replyOf(answer, events.length), ...(isShown && { fetches: fetches.records }) };
    return maskedReply(reply, maskerOf(credentials));
  }

  async check({ workspaceId, bundle, kind }: RequestOf<typeof CheckCode>): Promise<ReplyOf<typeof CheckCode>> {
    const { failure } = await this.pool.perform(workspaceId, {
      kind: `check-${kind}`,
      bundle,
      eventsJson: '[]',
      collectLogs: false,
      allowFetch: false,
      credentials: [],
    });
    return failure ? { error: userErrorOf(failure) } : {};
  }

  onModuleDestroy(): void {
    this.pool.close();
  }
}
