/** Each bucket reaches a fifth further than the one before. */
const GROWTH = 1.2;

/** Index of the bucket that contains a latency. */
export const bucketOf = (milliseconds: number): number =>
  Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(GROWTH)));

/** Upper bound of a bucket in milliseconds. */
export const boundOf = (bucket: number): number => Math.round(GROWTH ** bucket);

/** Latency that the given share of all did not exceed. Returns undefined if the counts are empty. */
export function percentileOf(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= total * share) return boundOf(bucket);
  }
  return undefined;
}
