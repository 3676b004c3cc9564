import type { JsonObject } from '@weir/contracts';
import type { BatchRule, ItemOutcome, Payload } from '../kind.js';
import { objectOf, omit, pick } from './objects.js';

/** The vendor's documented limits. */
export type BatchLimits = Pick<BatchRule, 'itemsMax' | 'bytesMax' | 'outcomes' | 'isOfSome'>;

/**
 * Combines payloads whose JSON bodies contain lists, such as `{ api_key, events: [...] }`. Concatenates the named lists. The rest
 * of the body, address, headers and query must be equal.
 */
export function batchLists(keys: readonly string[], limits: BatchLimits): BatchRule {
  const lists = (payload: Payload) => keys.map((key) => payload.body.JSON[key]).filter((list) => Array.isArray(list));
  return {
    ...limits,
    sizeOf: (payload) => Math.max(1, ...lists(payload).map((list) => list.length)),
    keyOf: (payload) => {
      if (lists(payload).length === 0) return undefined;
      return keyWith(
        payload,
        Object.entries(payload.body.JSON).filter(([key]) => !keys.includes(key)),
      );
    },
    combine: (payloads) => withJson(payloads, (first) => ({ ...first, ...joined(keys, payloads) })),
  };
}

function joined(keys: readonly string[], payloads: readonly Payload[]): JsonObject {
  const lists = keys.map((key) => [key, payloads.flatMap(({ body }) => asList(body.JSON[key]))] as const);
  return objectOf(lists.filter(([, list]) => list.length > 0));
}

export interface BodyBatch extends BatchLimits {
  /** Address for batches, if the vendor has a separate one. */
  endpoint?: (payload: Payload) => string;
  /** Keys that appear once next to the list, such as an API key. */
  shared?: readonly string[];
}

/**
 * Combines whole JSON bodies into one list under `key`, such as `{ api_key, batch: [...] }`, for an endpoint that accepts many.
 */
export function batchBodies(key: string, { endpoint, shared = [], ...limits }: BodyBatch): BatchRule {
  const sharedOf = ({ body }: Payload) => pick(body.JSON, (_, name) => shared.includes(name));
  return {
    ...limits,
    keyOf: (payload) => (hasKeys(payload.body.JSON) ? keyWith(payload, sharedOf(payload)) : undefined),
    combine: (payloads) => {
      const items = payloads.map(({ body }) => omit(body.JSON, shared));
      const combined = withJson(payloads, () => ({ ...sharedOf(firstOf(payloads)), [key]: items }));
      return endpoint ? { ...combined, endpoint: endpoint(combined) } : combined;
    },
  };
}

/** Combines JSON bodies into one array, even for a single body. For receivers that read only one format. */
export function asJsonArray(payloads: readonly Payload[]): Payload {
  const first = firstOf(payloads);
  const batch = JSON.stringify(payloads.map(({ body }) => body.JSON));
  return { ...first, body: { ...first.body, JSON: {}, JSON_ARRAY: { batch } } };
}

/** Combines payloads whose body is a JSON array (`JSON_ARRAY.batch`, as text). */
export function batchArrays(limits: BatchLimits): BatchRule {
  return {
    ...limits,
    sizeOf: (payload) => Math.max(1, arrayOf(payload).length),
    keyOf: (payload) => (hasKeys(payload.body.JSON_ARRAY) ? keyWith(payload) : undefined),
    combine: (payloads) => {
      const first = firstOf(payloads);
      return { ...first, body: { ...first.body, JSON_ARRAY: { batch: JSON.stringify(payloads.flatMap(arrayOf)) } } };
    },
  };
}

/** The items of a body that is a JSON array. */
export const arrayOf = ({ body }: Payload): unknown[] => asList(parsed(body.JSON_ARRAY['batch']));

/** For responses that name the refused items. A payload is refused with the reason of its first refused item. */
export function outcomesByItem(
  lists: readonly (readonly unknown[])[],
  reasonOf: (item: unknown, place: number) => unknown,
): ItemOutcome[] {
  let place = 0;
  return lists.map((items) => {
    const [reason] = items.map((item) => reasonOf(item, place++)).filter((given) => given !== undefined);
    return reason === undefined ? { status: 200 } : { status: 400, response: reason };
  });
}

const keyWith = ({ method, endpoint, headers, params }: Payload, more: unknown = null) =>
  JSON.stringify([method, endpoint, headers, params, more]);

function withJson(payloads: readonly Payload[], bodyOf: (first: JsonObject) => JsonObject): Payload {
  const first = firstOf(payloads);
  return { ...first, body: { ...first.body, JSON: bodyOf(first.body.JSON) } };
}

function firstOf([first]: readonly Payload[]): Payload {
  if (!first) throw new TypeError('a batch without payloads');
  return first;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const hasKeys = (section: JsonObject) => Object.keys(section).length > 0;
const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : undefined);
