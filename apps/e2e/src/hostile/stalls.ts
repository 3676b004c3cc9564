import type { StackAddress } from '@weir/local';

export interface Stall {
  process: string;
  work: string;
  count: number;
  /** Upper bound of the longest of these stalls in seconds: the bucket of the metric that holds it. */
  longest: number;
}

/** Kinds of stalls that are not the product's work. They are reported but not judged. */
export const NOT_WORK = ['suspended', 'gc'];

/** Stalls so far by upper bound in seconds. Each bucket includes those below it. */
type Buckets = Map<number, number>;

/** Reads `weir_event_loop_stall_seconds` of every process. Returns only stalls since the previous call. */
export class StallReader {
  private readonly known = new Map<string, Buckets>();

  constructor(private readonly stack: Pick<StackAddress, 'opsUrls'>) {}

  async read(): Promise<Stall[]> {
    const stalls = await Promise.all(
      Object.entries(this.stack.opsUrls).map(async ([process, url]) => {
        const text = await fetch(`${url}/metrics`).then(
          (answer) => answer.text(),
          () => '',
        );
        return [...bucketsByWork(text)].flatMap(([work, buckets]) => this.since(process, work, buckets));
      }),
    );
    return stalls.flat();
  }

  private since(process: string, work: string, buckets: Buckets): Stall[] {
    const key = `${process} ${work}`;
    const before = this.known.get(key);
    this.known.set(key, buckets);
    const fresh = [...buckets].map(([bound, count]) => ({ bound, count: count - (before?.get(bound) ?? 0) }));
    const count = fresh.at(-1)?.count ?? 0;
    const longest = fresh.find((one) => one.count === count)?.bound ?? Number.POSITIVE_INFINITY;
    return count > 0 ? [{ process, work, count, longest }] : [];
  }
}

function bucketsByWork(text: string): Map<string, Buckets> {
  const found = new Map<string, Buckets>();
  for (const [, labels = '', value] of text.matchAll(/^weir_event_loop_stall_seconds_bucket\{(.*)\} (\S+)$/gm)) {
    const work = /work="([^"]*)"/.exec(labels)?.[1] ?? '';
    const bound = /le="([^"]*)"/.exec(labels)?.[1] ?? '';
    const buckets = found.get(work) ?? new Map<number, number>();
    found.set(work, buckets.set(bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), Number(value)));
  }
  return found;
}
