/**
 * How well what was typed fits an item of the palette, from 0 (not at all) to 1. Letters of an id say nothing, unless it was pasted as a
 * whole.
 */
export function rankOf(id: string, typed: string, names: readonly string[] = []): number {
  const wanted = typed.trim().toLowerCase();
  const name = names.join(' ').toLowerCase();
  if (name.startsWith(wanted) || id === typed.trim()) return 1;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 0.8;
  return name.includes(wanted) ? 0.5 : 0;
}
