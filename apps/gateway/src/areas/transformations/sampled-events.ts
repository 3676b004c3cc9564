import type { JsonObject } from '@weir/contracts';
import { Slices } from '@weir/messaging';

/** All samples of one request must fit one message, beside the tests. */
export const SAMPLES_BYTES_MAX = 262_144;

/** Takes the first sample of each list, then the second of each, and so on. Every kind of event gets its share. */
export function mixed(lists: readonly (readonly JsonObject[])[], count: number): JsonObject[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1)))
    .flat()
    .slice(0, count);
}

/** The first samples that fit. Samples may total dozens of megabytes, so other requests get turns in between. */
export async function fitting(samples: readonly JsonObject[], bytesMax: number): Promise<JsonObject[]> {
  const slices = new Slices();
  let left = bytesMax;
  for (const [index, sample] of samples.entries()) {
    left -= Buffer.byteLength(JSON.stringify(sample)) + 1;
    if (left < 0) return samples.slice(0, index);
    if (slices.isOver) await slices.next();
  }
  return [...samples];
}
