import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { CheckCode, ReplyOf, RequestOf } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';
import { CALL_LIMIT_MS, TEST_RERUN_LIMIT_MS } from '../limits.js';
import { ChildPool } from '../pool/child-pool.js';
import { userErrorOf } from '../wire/protocol.js';
import { EventRuns } from './event-runs.js';
import { replyOf } from './reply.js';
import { RunFetches } from './run-fetches.js';
import type { RunRequest } from './run-request.js';

/** Runs and checks user code in child processes. Failing code is a result. Only a busy sandbox is an error. */
@Injectable()
export class CodeService implements BeforeApplicationShutdown {
  /** Longer in tests. */
  callLimitMs = CALL_LIMIT_MS;
  private readonly duration;

  constructor(
    private readonly pool: ChildPool,
    private readonly rpc: RpcClient,
    health: Health,
    metrics: Metrics,
  ) {
    this.duration = metrics.histogram({
      name: 'weir_sandbox_run_seconds',
      help: 'Time from request to answer, including the wait for a child',
      labelNames: ['outcome'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5, 10],
    });
    health.register('sandbox', () => this.pool.notReadyReason);
  }

  /** Returns the reply as JSON in parts. Results are never parsed on their way. */
  async run(request: RunRequest): Promise<Buffer[]> {
    const { workspaceId, bundle, events, mode, allowFetch = false, credentials = [] } = request;
    const startedAt = performance.now();
    const isTest = mode === 'test';
    const { fetch, calls } = new RunFetches(this.rpc, workspaceId, credentials);
    // Logs and calls of `fetch` belong to a single caller.
    const isShareable = !isTest && !allowFetch;
    const shared = { isShareable, isPartial: false, collectLogs: isTest, allowFetch, credentials };
    const runs = new EventRuns(
      { action: 'run', bundle, events, ...shared },
      (work, limitMs) => this.pool.perform(workspaceId, work, { fetch, limitMs }),
      isTest ? TEST_RERUN_LIMIT_MS : undefined,
      this.callLimitMs,
    );
    await runs.run();
    this.duration.observe({ outcome: runs.failure?.cause ?? 'done' }, (performance.now() - startedAt) / 1_000);
    return replyOf(runs, isTest ? calls : []);
  }

  async check({ workspaceId, bundle, kind }: RequestOf<typeof CheckCode>): Promise<ReplyOf<typeof CheckCode>> {
    const { failure } = await this.pool.perform(workspaceId, {
      action: `check-${kind}`,
      bundle,
      events: [],
      isPartial: false,
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
