import type { Metrics } from '@weir/service-kit';
import type { PoolObserver } from './child-pool.js';

/** Metrics of the pool for operators. Kills deserve an alert, because some code hits limits or attacks. */
export function poolMetrics(metrics: Metrics): PoolObserver {
  const kills = metrics.counter({
    name: 'weir_sandbox_kills_total',
    help: 'Child processes that hit a limit, were killed or died',
    labelNames: ['reason'],
  });
  const queueing = metrics.histogram({
    name: 'weir_sandbox_queue_seconds',
    help: 'Time that a run waited for a child',
    labelNames: [],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2, 5],
  });
  const bundles = metrics.counter({
    name: 'weir_sandbox_bundles_total',
    help: 'Runs and checks, by whether their code was already compiled',
    labelNames: ['cache'],
  });
  const contexts = metrics.counter({
    name: 'weir_sandbox_contexts_total',
    help: 'Runs by their context: fresh, kept for code without state, or fresh because the kept one was touched',
    labelNames: ['context'],
  });
  return {
    killed: (reason) => kills.inc({ reason }),
    waited: (ms) => queueing.observe(ms / 1_000),
    compiled: (isCompiled) => bundles.inc({ cache: isCompiled ? 'hit' : 'miss' }),
    ran: (context) => contexts.inc({ context }),
  };
}
