/** One of the amounts that a bar is made of. */
export interface Part {
  name: string;
  values: readonly number[];
  /** Name of a colour of the theme. */
  colour: 'accent' | 'bad' | 'line-strong' | 'warn' | 'good';
  /** Its class for the key. */
  dot: string;
}

/** Grid lines besides the one at zero. More of them crowd a low chart. */
const LEVELS_MAX = 3;

/** Levels of the grid from zero up. The last one is at or above the highest bar, so that no bar ends beyond the grid. */
export function levelsOf(most: number): number[] {
  const highest = Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [power / 5, power / 2, power, 2 * power, 5 * power].find(
    (one) => one >= 1 && Math.ceil(highest / one) <= LEVELS_MAX,
  );
  const each = step ?? 10 * power;
  return Array.from({ length: Math.ceil(highest / each) + 1 }, (_, at) => at * each);
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
