import { type EventMetadata, isJsonObject, type JsonObject, type PiiFlag } from '@weir/contracts';
import { compareText } from '../aggregation/text.js';
import { kindByName, kindByValue } from './personal-keys.js';

/** Flags of one answer, so that it fits one message. */
const FLAGS_MAX = 1_000;
const KEY_CHARS_MAX = 512;

/** Keys of a model that look personal, by their names or by their sampled and frequent values. */
export function piiFlagsOf(paths: readonly string[], { SampledEvents, FrequentValues }: EventMetadata): PiiFlag[] {
  const flags = new Map<string, PiiFlag>();
  const flag = (Key: string, Kind: PiiFlag['Kind'] | undefined, Because: PiiFlag['Because']) => {
    if (Kind && !flags.has(Key) && Key.length <= KEY_CHARS_MAX) flags.set(Key, { Key, Kind, Because });
  };
  for (const path of paths) flag(path, kindByName(path), 'name');
  for (const [path, values] of Object.entries(FrequentValues)) {
    for (const { Value } of values) flag(path, kindByValue(Value), 'values');
  }
  for (const event of SampledEvents) eachValue(event, (path, value) => flag(path, kindByValue(value), 'values'));
  return [...flags.values()].sort((left, right) => compareText(left.Key, right.Key)).slice(0, FLAGS_MAX);
}

/** Visits every scalar of an event with its dotted path. */
export function eachValue(event: JsonObject, see: (path: string, value: unknown) => void): void {
  const open: [path: string, value: unknown][] = Object.entries(event);
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (isJsonObject(value) || Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) open.push([`${path}.${key}`, inner]);
    } else see(path, value);
  }
}
