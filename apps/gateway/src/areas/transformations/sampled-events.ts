import type { JsonObject } from '@weir/contracts';

/** All samples of one request travel in one message, beside the tests. */
export const SAMPLES_BYTES_MAX = 262_144;

/** The first sample of each list, then the second of each, and so on: every kind of event has its turn. */
export function mixed(lists: readonly (readonly JsonObject[])[], count: number): JsonObject[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1)))
    .flat()
    .slice(0, count);
}

/** The first samples that fit. */
export function fitting(samples: readonly JsonObject[], bytesMax: number): JsonObject[] {
  let left = bytesMax;
  return samples.filter((sample) => {
    left -= Buffer.byteLength(JSON.stringify(sample)) + 1;
    return left >= 0;
  });
}
