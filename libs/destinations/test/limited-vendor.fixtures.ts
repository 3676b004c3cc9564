import type { JsonObject } from '@weir/contracts';
import { sessionOf } from '../src/delivery/batch-session.js';
import type { DeliveryResult, DestinationKind, Outbound } from '../src/kind.js';
import { destinationKind } from '../src/registry.js';
import { parsedJson, valueAt } from '../src/toolkit/index.js';

/** The limits that a vendor documents for one request. */
export interface VendorLimits {
  /** Where the events of a body are (empty for an array), and the name of one. */
  list: string;
  name: string;
  itemsMax: number;
  bytesMax?: number;
  itemBytesMax?: number;
  /** Keys that each event must have. */
  required?: readonly string[];
  /** Its answers to the look-ups of a delivery, by the end of their addresses. They are not requests with events. */
  lookUps?: Readonly<Record<string, JsonObject>>;
}

/** The answer of a vendor that has read the events of a request. */
type Answer = readonly [status: number, body: unknown];

export interface LimitedVendor {
  outbound: Outbound;
  /** The names of what it has taken, by request. */
  taken: string[][];
}

/** A name of an event that no vendor takes. */
export const BAD = 'Bad';
export const isBad = (name: string) => name.startsWith(BAD);
/** Answers to the names of events, and to the events. */
type AnswerTo = (names: readonly string[], items: readonly unknown[]) => Answer;
/** Refuses a request because of one event, as most vendors do. */
const refusesAll: AnswerTo = (names) => (names.some(isBad) ? [400, { error: 'an event is bad' }] : [200, {}]);

/** A vendor that takes no request above its limits. It keeps what it has taken. */
export function limitedVendor(limits: VendorLimits, answerTo = refusesAll): LimitedVendor {
  const taken: string[][] = [];
  const answer = (body: string): Answer => {
    const items = itemsOf(body, limits.list);
    const problem = problemOf(body, items, limits);
    if (problem) return problem;
    const names = items.map((item) => String(valueAt(item, limits.name)));
    const [status, response] = answerTo(names, items);
    if (status < 300) taken.push(names);
    return [status, response];
  };
  const lookUps = Object.entries(limits.lookUps ?? {});
  const request: Outbound['request'] = async ({ url, body = '' }) => {
    const [, lookedUp] = lookUps.find(([end]) => url.endsWith(end)) ?? [];
    const [status, response] = lookedUp ? [200, lookedUp] : answer(body);
    const headers = { 'content-type': 'application/json' };
    return { status, headers, body: Buffer.from(JSON.stringify(response)), truncated: false };
  };
  return { outbound: { request, connect: () => Promise.reject(new Error('no connection')) }, taken };
}

/** A body is JSON, or a form with JSON in it. A body without the list is a single event. */
function itemsOf(body: string, list: string): unknown[] {
  const content =
    parsedJson(body) ??
    Object.fromEntries([...new URLSearchParams(body)].map(([key, text]) => [key, parsedJson(text)]));
  const items = list === '' ? content : valueAt(content, list);
  return Array.isArray(items) ? items : [content];
}

function problemOf(body: string, items: readonly unknown[], limits: VendorLimits): Answer | undefined {
  const { itemsMax, bytesMax = Infinity, itemBytesMax = Infinity, required = [] } = limits;
  if (items.length > itemsMax || Buffer.byteLength(body) > bytesMax)
    return [413, { error: 'the request is too large' }];
  if (items.some((item) => Buffer.byteLength(JSON.stringify(item)) > itemBytesMax))
    return [400, { error: 'an event is too large' }];
  const lacking = required.find((key) => items.some((item) => valueAt(item, key) === undefined));
  return lacking === undefined ? undefined : [400, { error: `${lacking} is missing` }];
}

/**
 * Delivers events as live delivery does, and returns the result of each payload. The events are under way together, but each of
 * them sends a payload only after the one before has arrived.
 */
export async function deliverAll(
  kindName: string,
  config: JsonObject,
  outbound: Outbound,
  events: readonly JsonObject[],
): Promise<DeliveryResult[]> {
  const kind = kindOf(kindName);
  const session = sessionOf(kind, config, outbound)?.session;
  const waiting = events.map((event, place) => ({ place, payloads: kind.transform(event, config) }));
  const results = events.map((): DeliveryResult[] => []);
  const next = ({ place, payloads }: (typeof waiting)[number]) => {
    const [sent = [], at] = [results[place], results[place]?.length ?? 0];
    const payload = sent.every(({ status }) => status < 300) ? payloads[at] : undefined;
    return payload ? [{ place, item: { payload, idempotencyKey: `${place}.${at}` } }] : [];
  };
  for (let round = waiting.flatMap(next); session && round.length > 0; round = waiting.flatMap(next)) {
    const answers = await session.deliver(round.map(({ item }) => item));
    for (const [index, { place }] of round.entries()) results[place]?.push(answers[index] as DeliveryResult);
  }
  return results.flat();
}

/** The kind of a name such as `BRAZE events`. */
export const kindOf = (name: string): DestinationKind => destinationKind(name.split(' ')[0] ?? '') as DestinationKind;
