import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Decides about every destination that the event does not name. */
const ALL = 'all';

/**
 * Whether the client wants the event at a destination with one of these names, in any case, by the event's `integrations`
 * (docs/specification/delivery.md). Websites pass on their visitors' consent in it.
 */
export function isWanted({ integrations }: JsonObject, names: readonly string[]): boolean {
  if (!isJsonObject(integrations)) return true;
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  let isWantedByAll = true;
  for (const [key, choice] of Object.entries(integrations)) {
    const name = key.toLowerCase();
    if (wanted.has(name)) return choice === true || isJsonObject(choice);
    if (name === ALL) isWantedByAll = choice === true;
  }
  return isWantedByAll;
}
