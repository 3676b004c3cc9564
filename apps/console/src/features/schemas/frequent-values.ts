import { isRecord } from '../../lib/json.js';

/** The frequent values of a key, the most frequent first. The API gives them by key, with how often each came. */
export function frequentValuesOf(all: unknown, key: string): { value: string; events: number }[] {
  const values = isRecord(all) ? all[key] : undefined;
  if (!Array.isArray(values)) return [];
  return values
    .filter(isRecord)
    .flatMap(({ Value, Frequency }) =>
      typeof Frequency === 'number' ? [{ value: String(Value), events: Frequency }] : [],
    );
}
