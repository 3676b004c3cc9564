import { isRecord } from '../../lib/json.js';
import type { Row } from './buffer.js';

let lastKey = 0;

/** A row of what the stream says in its own words. */
export function rowOf(kind: 'accepted' | 'delivery' | 'suppressed', data: string): Row | undefined {
  const told = recordOf(data);
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : undefined);
  const at = text('at') ?? new Date().toISOString();
  lastKey += 1;
  const common = {
    key: lastKey,
    at,
    sourceId: text('sourceId'),
    type: text('type'),
    name: text('name') ?? text('event'),
    messageId: text('messageId'),
    bytes: data.length,
  };
  if (kind === 'accepted') return { ...common, outcome: 'accepted', name: text('name'), event: told['event'] };
  if (kind === 'suppressed') return { ...common, outcome: 'suppressed', name: `${Number(told['events']) || 0} events` };
  return {
    ...common,
    // nothing is called delivered that the server did not call so
    outcome: text('outcome') ?? 'unknown',
    destinationId: text('destinationId'),
    reason: text('reason'),
  };
}

/** The fields of a message. None if it cannot be read. */
export function recordOf(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
