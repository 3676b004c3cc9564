import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_BYTES_MAX, EVENT_DEPTH_MAX, isAppError, type JsonObject } from '@weir/contracts';
import { hostileEvents, sampleEvents } from '@weir/testing';
import { configOf } from '../test/kinds.fixtures.js';
import type { DestinationKind } from './kind.js';
import { destinationDefinitions, destinationKind } from './registry.js';
import { objectOf } from './toolkit/objects.js';

const kinds = destinationDefinitions()
  .map(({ name }) => destinationKind(name) as DestinationKind)
  .filter(({ takesNoEvents }) => takesNoEvents !== true);

/**
 * Limits on reads of an event. The first covers the fixed tables of the largest kind for a usual event, the second each part of
 * the event. Code that goes over all parts for each part makes thousands of reads per part.
 */
const LOOKS_AT_ALL = 20_000;
const LOOKS_AT_PART = 24;
/** Enough for each key of the largest object in {@link TOO_LARGE}, and nothing below it. */
const LOOKS_AT_LARGE = 100_000;

/** Wraps the value and counts every read in it: of a key, of all keys, of an item. */
function watched<T>(value: T, counter: { looks: number }): T {
  if (typeof value !== 'object' || value === null) return value;
  const inner = new Map<PropertyKey, unknown>();
  return new Proxy(value, {
    get: (target, key, receiver) => {
      counter.looks += 1;
      const known = inner.get(key) ?? watched(Reflect.get(target, key, receiver), counter);
      if (typeof known === 'object') inner.set(key, known);
      return known;
    },
    getOwnPropertyDescriptor: (target, key) => {
      counter.looks += 1;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  }) as T;
}

/** The platform's version accepts no proxies. It also builds a hidden class for each new key, and so does `fromEntries`. */
const { structuredClone } = globalThis;
const { fromEntries } = Object;
const OWN_KEYS_MAX = 64;
beforeAll(() => {
  globalThis.structuredClone = <T>(value: T): T => JSON.parse(JSON.stringify(value));
  Object.fromEntries = (entries: Iterable<readonly unknown[]>) => {
    const list = [...entries];
    if (list.length > OWN_KEYS_MAX) throw new Error('keys of an event are for objectOf');
    return fromEntries(list);
  };
});
afterAll(() => {
  globalThis.structuredClone = structuredClone;
  Object.fromEntries = fromEntries;
});

/** Number of values and keys. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + partsOf(inner), 1);
}

const outcomeOf = (kind: DestinationKind, event: JsonObject, config: JsonObject): string => {
  try {
    kind.transform(event, config);
    return '';
  } catch (error) {
    if (!isAppError(error)) throw error;
    expect([error.code, error.message.length < 300]).toEqual(['invalid', true]);
    return error.message;
  }
};

/** Large enough to reveal quadratic work. Larger events are refused. */
const SIZE = { length: 1_500, parts: 300 };
const EVENTS = [...hostileEvents(SIZE)];

describe('a hostile event', () => {
  it('is one that the intake lets in', () => {
    for (const { name, event } of EVENTS) {
      expect([name, Buffer.byteLength(JSON.stringify(event)) <= EVENT_BYTES_MAX]).toEqual([name, true]);
      expect([name, depthOf(event) <= EVENT_DEPTH_MAX]).toEqual([name, true]);
    }
  });

  it.each(kinds.map((kind) => [kind.definition.name, kind] as const))(
    'costs %s a few looks at each of its parts, or is refused in words',
    (_, kind) => {
      const config = configOf(kind);
      const slow = [];
      for (const { name, event } of EVENTS) {
        const counter = { looks: 0 };
        const refusal = outcomeOf(kind, watched(event, counter), config);
        const most = LOOKS_AT_ALL + LOOKS_AT_PART * partsOf(event);
        if (counter.looks > most) slow.push({ name, looks: counter.looks, most, refusal });
      }
      expect(slow).toEqual([]);
    },
  );

  it.each(kinds.map((kind) => [kind.definition.name, kind] as const))(
    'that is too large is refused by %s, in words, before anything is made of it',
    (_, kind) => {
      for (const [properties, reason] of TOO_LARGE) {
        if (kind.takesEventsWhole && !reason.includes('levels')) continue;
        const counter = { looks: 0 };
        const event = watched({ ...sampleEvents()[0], properties }, counter);
        expect(outcomeOf(kind, event, configOf(kind))).toBe(`The event has ${reason}: destinations get no larger ones`);
        expect(counter.looks).toBeLessThan(LOOKS_AT_LARGE);
      }
    },
  );
});

describe('an event of many parts', () => {
  it.each(['WEBHOOK', 'S3', 'KAFKA', 'NATS'])('goes to %s, which takes it whole', (name) => {
    const kind = destinationKind(name) as DestinationKind;
    for (const [properties, reason] of TOO_LARGE.filter(([, reason]) => !reason.includes('levels'))) {
      const event = { ...sampleEvents()[0], properties };
      expect([reason, outcomeOf(kind, event, configOf(kind))]).toEqual([reason, '']);
    }
  });

  it.each(['WEBHOOK', 'S3', 'KAFKA', 'NATS'])('goes to %s up to a bound that no real event reaches', (name) => {
    const kind = destinationKind(name) as DestinationKind;
    const event = { ...sampleEvents()[0], properties: { list: Array(100_000).fill({}) } };
    expect(outcomeOf(kind, event, configOf(kind))).toMatch(/more than 100000 keys and items/);
  });

  it('has no more keys of its own than an object may have', () => {
    const kind = destinationKind('S3') as DestinationKind;
    expect(outcomeOf(kind, numbers(2_001), configOf(kind))).toMatch(/more than 2000 keys/);
  });
});

const numbers = (count: number) => objectOf(Array.from({ length: count }, (_, index) => [`key${index}`, 1]));
const levels = (count: number) =>
  Array.from({ length: count }).reduce<JsonObject>((inner) => ({ inner }), { end: true });
const TOO_LARGE: [JsonObject, string][] = [
  [{ list: Array(90_000).fill({}) }, 'more than 10000 keys and items'],
  [{ list: Array(5_200).fill({ a: 1 }) }, 'more than 10000 keys and items'],
  [numbers(2_001), 'an object of more than 2000 keys'],
  [{ deep: [numbers(40_000)] }, 'an object of more than 2000 keys'],
  [levels(1_100), 'more than 1000 levels of objects'],
];

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, inner) => Math.max(most, depthOf(inner)), 0);
}
