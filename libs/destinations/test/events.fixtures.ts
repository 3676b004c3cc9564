import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../src/kind.js';
import { destinationKind } from '../src/registry.js';
import { setAt } from '../src/toolkit/paths.js';

/** The payloads of a kind for an event. */
export function payloadsOf(kind: string, event: JsonObject, config: JsonObject): Payload[] {
  const found = destinationKind(kind);
  if (!found) throw new Error(`no kind ${kind}`);
  return found.transform(event, config);
}

/** The JSON body of the only payload. */
export function jsonOf(kind: string, event: JsonObject, config: JsonObject): JsonObject {
  const payloads = payloadsOf(kind, event, config);
  if (payloads.length !== 1) throw new Error(`${payloads.length} payloads`);
  return payloads[0]?.body.JSON ?? {};
}

/** The items of a JSON body that is an array. */
export const itemsOf = (payload: Payload | undefined): JsonObject[] =>
  JSON.parse(String(payload?.body.JSON_ARRAY['batch']));

export const ada = {
  userId: 'ada',
  anonymousId: 'anon-1',
  messageId: 'm-1',
  timestamp: '2026-03-04T05:06:07.890Z',
};

/** A copy of the event with a value at a dotted path, for tests of each source of a field. */
export function eventWith(event: JsonObject, path: string, value: unknown): JsonObject {
  const copy = structuredClone(event);
  setAt(copy, path, value);
  return copy;
}
