import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { CheckCode, ReplyOf, RequestOf } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';
import { EventRuns } from './event-runs.js';
import type { ChildHost } from './host/child-host.js';
import { ChildPool } from './pool/child-pool.js';
import { poolMetrics } from './pool/pool-metrics.js';
import { replyOf } from './reply.js';
import { RunFetches } from './run-fetches.js';
import type { RunRequest } from './run-request.js';
import { userErrorOf } from './user-error.js';

export const SANDBOX = Symbol('SANDBOX');

export interface SandboxOptions {
  /** Where children run. */
  host: ChildHost;
  /** Number of child processes that may have a workspace. */
  children: number;
  /** Wall-clock limit of one run. */
  limitMs: number;
  /** Heap limit of one isolate. Default: MEMORY_MB. */
  memoryMb?: number;
  /** Time after which a waiting run is refused. Default: QUEUE_WAIT_MS. */
  queueWaitMs?: number;
}

/** Runs and checks user code in child processes. Failing code is a result. Only a busy sandbox is an error. */
@Injectable()
export class CodeService implements BeforeApplicationShutdown {
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

  /** Returns the reply as JSON. Results are never parsed on their way. */
  async run(request: RunRequest): Promise<Buffer> {
    const { workspaceId, bundle, events, mode, allowFetch = false, credentials = [] } = request;
    const startedAt = performance.now();
    const isTest = mode === 'test';
    const { fetch, records } = new RunFetches(this.rpc, workspaceId, credentials);
    // Logs and calls of `fetch` belong to a single caller.
    const isShareable = !isTest && !allowFetch;
    const shared = { isShareable, isPart: false, collectLogs: isTest, allowFetch, credentials };
    const runs = new EventRuns({ kind: 'run', bundle, events, ...shared }, (work, limitMs) =>
      this.pool.perform(workspaceId, work, { fetch, limitMs }),
    );
    await runs.run();
    this.duration.observe({ outcome: runs.failure?.kind ?? 'done' }, (performance.now() - startedAt) / 1_000);
    return replyOf(runs, isTest ? records : []);
  }

  async check({ workspaceId, bundle, kind }: RequestOf<typeof CheckCode>): Promise<ReplyOf<typeof CheckCode>> {
    const { failure } = await this.pool.perform(workspaceId, {
      kind: `check-${kind}`,
      bundle,
      events: [],
      isPart: false,
      isShareable: false,
      collectLogs: false,
      allowFetch: false,
      credentials: [],
    });
    return failure ? { error: userErrorOf(failure) } : {};
  }

  /** Runs after the endpoints have finished their requests. */
  beforeApplicationShutdown(): void {
    this.pool.close();
  }
}
