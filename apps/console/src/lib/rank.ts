/**
 * How well what was typed fits an item of the palette, from 0 (not at all) to 1. Letters of an id say nothing, unless it was pasted as a
 * whole.
 */
export function rankOf(id: string, typed: string, names: readonly string[] = []): number {
  const wanted = typed.trim().toLowerCase();
  const name = names.join(' ').toLowerCase();
  if (name.startsWith(wanted) || id === typed.trim()) return 1;
  if (!name.includes(wanted)) return 0;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 0.8;
  return 0.5;
}

/** The rows that fit best what was typed, best first: of all rows the first ones while nothing is typed. */
export function bestOf<Row extends { id: string; name: string }>(
  rows: readonly Row[],
  typed: string,
  most: number,
): Row[] {
  if (typed.trim() === '') return rows.slice(0, most);
  return rows
    .map((row) => ({ row, rank: rankOf(row.id, typed, [row.name]) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, most)
    .map(({ row }) => row);
}
