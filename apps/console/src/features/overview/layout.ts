import type { Transformation } from '../../api/code.js';
import type { Connection, Destination, Source } from '../../api/inventory.js';

/** Height of a row in pixels. */
export const ROW = 44;
/** A picture of more rows is not an overview. The lists show them all. */
const ROWS_MAX = 12;

/** From a row of one lane to a row of the next. */
export interface Line {
  from: number;
  to: number;
  isOn: boolean;
}

interface Facts {
  sources: readonly Source[];
  destinations: readonly Destination[];
  connections: readonly Connection[];
  transformations: readonly Transformation[];
}

/**
 * Rows of the three lanes, and the lines between them. Destinations with code come first, so that a way without code passes
 * below the code, in the row of its destination.
 */
export function layoutOf({ sources: all, destinations: every, connections, transformations }: Facts) {
  const sources = all.slice(0, ROWS_MAX);
  const codeById = new Map(
    transformations.flatMap((one) => one.destinations.map((id) => [id, one] as const)).reverse(),
  );
  const codeOf = ({ id }: Destination) => codeById.get(id);
  const destinations = [...every.filter(codeOf), ...every.filter((one) => !codeOf(one))].slice(0, ROWS_MAX);
  const code = transformations.filter((one) => destinations.some((destination) => codeOf(destination) === one));
  const ways = connections.flatMap(({ sourceId, destinationId, enabled }) => {
    const from = sources.findIndex(({ id }) => id === sourceId);
    const to = destinations.findIndex(({ id }) => id === destinationId);
    const destination = destinations[to];
    if (from === -1 || !destination) return [];
    const live = codeOf(destination);
    const codeRow = live ? code.indexOf(live) : -1;
    return [{ from, via: codeRow === -1 ? to : codeRow, to, isOn: enabled && destination.enabled }];
  });
  return {
    sources,
    code,
    destinations,
    intoCode: merged(ways.map(({ from, via, isOn }) => ({ from, to: via, isOn }))),
    outOfCode: merged(ways.map(({ via, to, isOn }) => ({ from: via, to, isOn }))),
    /** Lines across the middle lane, of ways without code. */
    passing: merged(
      ways.filter(({ via }) => via >= code.length).map(({ via, isOn }) => ({ from: via, to: via, isOn })),
    ),
    left: all.length - sources.length + every.length - destinations.length,
  };
}

/** One line for each pair. It is on if one of its ways is. */
function merged(lines: readonly Line[]): Line[] {
  const byPair = new Map<string, Line>();
  for (const line of lines) {
    const pair = `${line.from} ${line.to}`;
    byPair.set(pair, { ...line, isOn: line.isOn || (byPair.get(pair)?.isOn ?? false) });
  }
  return [...byPair.values()];
}
