import { isRecord } from '../../lib/json.js';

/**
 * The frequent values of a key, the most frequent first. The API gives them by key, with how often each came. A value that came once, such
 * as an id, is not frequent.
 */
export function frequentValuesOf(all: unknown, key: string): { value: string; events: number }[] {
  const values = isRecord(all) ? all[key] : undefined;
  if (!Array.isArray(values)) return [];
  return values
    .filter(isRecord)
    .flatMap(({ Value, Frequency }) =>
      typeof Frequency === 'number' && Frequency > 1 ? [{ value: String(Value), events: Frequency }] : [],
    );
}
