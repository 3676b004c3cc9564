import type { StackAddress } from '@weir/local';

export interface Stall {
  process: string;
  work: string;
  count: number;
  /** Total seconds of all these stalls. */
  seconds: number;
}

/** Kinds of stalls that are not the product's work. They are reported but not judged. */
export const NOT_WORK = ['suspended', 'gc'];

/** Reads `weir_event_loop_stall_seconds` of every process. Returns only stalls since the previous call. */
export class StallReader {
  private readonly known = new Map<string, Stall>();

  constructor(private readonly stack: Pick<StackAddress, 'opsUrls'>) {}

  async read(): Promise<Stall[]> {
    const texts = await Promise.all(
      Object.entries(this.stack.opsUrls).map(async ([process, url]) => {
        const text = await fetch(`${url}/metrics`).then(
          (answer) => answer.text(),
          () => '',
        );
        return stallsIn(process, text);
      }),
    );
    return texts.flat().flatMap((stall) => this.since(stall));
  }

  private since(stall: Stall): Stall[] {
    const key = `${stall.process} ${stall.work}`;
    const before = this.known.get(key);
    this.known.set(key, stall);
    const count = stall.count - (before?.count ?? 0);
    return count > 0 ? [{ ...stall, count, seconds: stall.seconds - (before?.seconds ?? 0) }] : [];
  }
}

function stallsIn(process: string, text: string): Stall[] {
  const sums = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const [, part, labels = '', value] of text.matchAll(
    /^weir_event_loop_stall_seconds_(sum|count)\{(.*)\} (\S+)$/gm,
  )) {
    const work = /work="([^"]*)"/.exec(labels)?.[1] ?? '';
    (part === 'sum' ? sums : counts).set(work, Number(value));
  }
  return [...counts].map(([work, count]) => ({ process, work, count, seconds: sums.get(work) ?? 0 }));
}
