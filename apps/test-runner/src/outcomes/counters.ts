import type { DeliveryCounters } from '@weir/contracts';
import { percentileOf } from './latency-buckets.js';

const LATENCY = 'latency.';

/** The counter name of a latency bucket. */
export const latencyName = (bucket: number): string => `${LATENCY}${bucket}`;

/** Builds the counters of a destination from its sums by name. Pure. */
export function countersOf(destinationId: string, sums: Record<string, number>, inRetry: number): DeliveryCounters {
  const sum = (name: string) => Number(sums[name] ?? 0);
  const buckets = Object.entries(sums)
    .filter(([name]) => name.startsWith(LATENCY))
    .map(([name, count]): [number, number] => [Number(name.slice(LATENCY.length)), Number(count)]);
  const [p50, p95] = [0.5, 0.95].map((share) => percentileOf(new Map(buckets), share));
  return {
    destinationId,
    accepted: sum('accepted'),
    transformed: sum('transformed'),
    droppedByCode: sum('dropped_by_code'),
    filtered: sum('filtered'),
    suppressed: sum('suppressed'),
    dropped: sum('dropped'),
    delivered: sum('delivered'),
    failed: sum('failed'),
    dead: sum('dead'),
    inRetry,
    ...(p50 !== undefined && p95 !== undefined && { latencyMs: { p50, p95 } }),
  };
}
