/** One of the amounts that a bar is made of. */
export interface Part {
  name: string;
  values: readonly number[];
  /** Name of a colour of the theme. */
  colour: 'accent' | 'bad' | 'line-strong' | 'warn' | 'good';
  /** Its class for the key. */
  dot: string;
}

/** How high each part reaches when it stands on those below it. */
export function heightsOf(parts: readonly Pick<Part, 'values'>[]): number[][] {
  const heights: number[][] = [];
  for (const { values } of parts) {
    const below = heights.at(-1);
    heights.push(values.map((value, at) => value + (below?.[at] ?? 0)));
  }
  return heights;
}
