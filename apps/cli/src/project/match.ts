import type { Kind } from './plan.js';

interface Named {
  name: string;
}

/** A resource of the files, with the one of the workspace that it means. */
export interface Match<Wanted, Existing> {
  wanted: Wanted;
  existing: Existing | undefined;
}

export interface Matches<Wanted, Existing> {
  pairs: Match<Wanted, Existing>[];
  /** Objects that only the workspace has. */
  rest: Existing[];
  problems: string[];
  notes: string[];
}

/**
 * Matches by name. A resource that has no namesake takes over the one that `was` names, so that a rename keeps ids, write keys and
 * history. Once the name is there, `was` has no effect.
 */
export function matchByName<Wanted extends Named & { was?: string | undefined }, Existing extends Named>(
  kind: Kind,
  wanted: readonly Wanted[],
  existing: readonly Existing[],
): Matches<Wanted, Existing> {
  const byName = new Map<string, Existing[]>();
  for (const one of existing) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const found: Matches<Wanted, Existing> = { pairs: [], rest: [], problems: [], notes: [] };
  const used = new Set<Existing>();
  const taken = new Set(wanted.map(({ name }) => name));
  for (const one of wanted) {
    const name = byName.has(one.name) || one.was === undefined || taken.has(one.was) ? one.name : one.was;
    if (name === one.name && one.was !== undefined && byName.has(one.name))
      found.notes.push(`${kind} "${one.name}" has its new name: remove "was" from its file`);
    const namesakes = byName.get(name) ?? [];
    if (namesakes.length > 1)
      found.problems.push(
        `The workspace has ${namesakes.length} of ${kind} "${name}": rename or delete all but one there`,
      );
    for (const namesake of namesakes) used.add(namesake);
    found.pairs.push({ wanted: one, existing: namesakes[0] });
  }
  found.rest = existing.filter((one) => !used.has(one));
  return found;
}
