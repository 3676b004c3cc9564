import type { KeyFact } from '@weir/contracts';
import { compareText } from '../aggregation/text.js';
import { PAGE_BYTES_MAX } from '../models/limits.js';
import type { CountedModel } from './key-count.repository.js';

/** Facts of the keys after `after`, as many as fit one message. */
export function keyFactsPage(model: CountedModel, after: string | undefined): { keys: KeyFact[]; next?: string } {
  const paths = [...model.facts.keys()].sort(compareText).filter((path) => after === undefined || path > after);
  const keys: KeyFact[] = [];
  let bytes = 0;
  for (const path of paths) {
    const fact = factOf(model, path);
    bytes += Buffer.byteLength(JSON.stringify(fact)) + 1;
    const last = keys.at(-1);
    if (last && bytes > PAGE_BYTES_MAX) return { keys, next: last.Key };
    keys.push(fact);
  }
  return { keys };
}

function factOf({ facts, totalCount }: CountedModel, path: string): KeyFact {
  const { events = 0, types = {}, firstSeen = '', lastSeen = '' } = facts.get(path) ?? {};
  const shares = Object.entries(types).map(([Type, count]) => ({ Type, Events: count, Share: count / events }));
  return {
    Key: path,
    Events: events,
    Share: events / totalCount,
    Types: shares.sort((left, right) => right.Events - left.Events || compareText(left.Type, right.Type)),
    FirstSeen: firstSeen,
    LastSeen: lastSeen,
  };
}
