import type { JsonObject } from '@weir/contracts';
import { type Call, isTaken } from '../../delivery/send-payload.js';
import type { DeliveryResult } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { PARTLY_DONE } from './hubspot.batch.js';

/** A change of one record. Two with the same key concern the same record. */
export interface Write {
  operation: 'upsert' | 'update' | 'create';
  key: string;
  input: JsonObject;
}

/** One change for all events about a record, because HubSpot takes each record once in a request. */
interface Merged extends Write {
  places: number[];
}

/** Makes the changes with one request per operation. Returns one result per change, and refusals as they were given. */
export async function writeAll(
  call: Call,
  objectType: string,
  writes: readonly (Write | DeliveryResult)[],
): Promise<DeliveryResult[]> {
  const results = [...writes] as DeliveryResult[];
  for (const [operation, merged] of Map.groupBy(mergedOf(writes), (write) => write.operation)) {
    const path = `crm/v3/objects/${objectType}/batch/${operation}`;
    const sent = await send((inputs) => call('POST', path, { inputs }), merged);
    for (const [index, { places }] of merged.entries()) {
      for (const place of places) results[place] = sent[index] as DeliveryResult;
    }
  }
  return results;
}

/** The later event wins, and what only the earlier one has stays. */
function mergedOf(writes: readonly (Write | DeliveryResult)[]): Merged[] {
  const merged = new Map<string, Merged>();
  for (const [place, write] of writes.entries()) {
    if (!('operation' in write)) continue;
    const name = `${write.operation} ${write.key}`;
    const { input, places = [] } = merged.get(name) ?? {};
    const properties = kit.merged(kit.objectAt(input, 'properties'), kit.objectAt(write.input, 'properties'));
    merged.set(name, { ...write, input: { ...write.input, properties }, places: [...places, place] });
  }
  return [...merged.values()];
}

/** Refusals after which all are tried again. */
const TRIED_AGAIN = [401, 403, 408, 429];
const isRefusal = ({ status }: DeliveryResult) => status >= 400 && status < 500 && !TRIED_AGAIN.includes(status);

/** A 2xx without a single record, of which HubSpot names no reason. */
const NONE: DeliveryResult = { status: 400, response: 'no record was written' };
const isOfNone = ({ response }: DeliveryResult) => {
  const results = kit.valueAt(response, 'results');
  return Array.isArray(results) && results.length === 0;
};

type Post = (inputs: JsonObject[]) => Promise<DeliveryResult>;

/** Each record has a number, by which HubSpot names it in an error. When it names none, each is sent alone. */
async function send(post: Post, merged: readonly Merged[]): Promise<DeliveryResult[]> {
  const result = await post(merged.map(({ input }, index) => ({ ...input, objectWriteTraceId: String(index) })));
  if (isTaken(result) && result.status !== PARTLY_DONE) return merged.map(() => (isOfNone(result) ? NONE : result));
  const errors = result.status === PARTLY_DONE ? errorsOf(result, merged.length) : undefined;
  if (errors) return merged.map((_, index) => errors.get(String(index)) ?? { status: 200, response: result.response });
  if (merged.length === 1) return [result.status === PARTLY_DONE ? { ...result, status: 400 } : result];
  if (result.status !== PARTLY_DONE && !isRefusal(result)) return merged.map(() => result);
  const each: DeliveryResult[] = [];
  for (const one of merged) each.push(...(await send(post, [one])));
  return each;
}

/** https://developers.hubspot.com/docs/api-reference/error-handling: a 207 holds the errors, and their records. */
function errorsOf({ response }: DeliveryResult, count: number): Map<string, DeliveryResult> | undefined {
  const errors = kit.objectsOf(kit.valueAt(response, 'errors'));
  const named = errors.map((error) => [kit.valueAt(error, 'context.objectWriteTraceId')].flat().map(String));
  const isNamed = named.every((ids) => ids.length > 0 && ids.every((id) => Number(id) < count));
  if (errors.length === 0 || !isNamed) return undefined;
  return new Map(
    errors.flatMap((error, index) => (named[index] ?? []).map((id) => [id, { status: 400, response: error }] as const)),
  );
}
