import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { MemoryStore, valuesOf } from '../../test/memory-store.js';
import { expectedOf } from '../../test/naive-oracle.js';
import { userKeys } from '../../test/user-keys.js';
import { Aggregator } from './aggregator.js';
import { TRIE_CHARS_MAX } from './limits.js';
import { Statistics } from './statistics.js';

const batchOf = (events: JsonObject[], writeKey = 'wk', receivedAt = '2026-01-01T00:00:00.000Z') => ({
  workspaceId: 'workspace',
  writeKey,
  receivedAt,
  events,
});

/** Generates events that clash in types, shapes and names. There are fewer than 100, so every value is frequent. */
const key = fc.constantFrom('a', 'b', 'toString', '0', 'ключ');
const scalar = fc.oneof(fc.constantFrom('x', '5', ''), fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.constant(null));
const { object } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}));
const event = fc
  .tuple(fc.constantFrom('track', 'page', 'alias'), fc.constantFrom('One', 'Two'), object as fc.Arbitrary<JsonObject>)
  .map(([type, name, properties]): JsonObject => {
    const named = { track: { event: name }, page: { name }, alias: {} }[type];
    return { type, ...named, properties };
  });
const batch = fc
  .tuple(fc.constantFrom('wk1', 'wk2'), fc.array(event, { minLength: 1, maxLength: 5 }))
  .map(([writeKey, events]) => batchOf(events, writeKey));
const batches = fc.array(batch, { maxLength: 15 });

describe('what aggregation adds up to', () => {
  it('equals a plain count of all events', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const store = new MemoryStore();
        store.add(new Aggregator(userKeys).aggregate(all));
        expect(store.described()).toEqual(expectedOf(all));
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on order, nor on how it is split into flushes and processes', () => {
    const cases = batches.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.integer({ min: 1, max: 6 })),
    );
    fc.assert(
      fc.property(cases, ([all, shuffled, size]) => {
        const store = new MemoryStore();
        const processes = [new Aggregator(userKeys), new Aggregator(userKeys)];
        for (let at = 0; at < shuffled.length; at += size) {
          const delta = processes[at % 2]?.aggregate(shuffled.slice(at, at + size));
          if (delta) store.add(delta);
        }
        expect(store.described()).toEqual(expectedOf(all));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a delta', () => {
  it('counts what belongs to no model by reason and goes on', () => {
    const wide = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`k${at}`, at]));
    const { models, skipped } = new Aggregator(userKeys).aggregate([
      batchOf([
        { type: 'track' },
        { event: 'x' },
        { type: 'page', wide },
        { type: 'page' },
        { type: 'track', event: 1 },
      ]),
    ]);
    expect(models).toMatchObject([{ eventType: 'page', count: 1 }]);
    expect(Object.fromEntries(skipped)).toEqual({ name: 2, type: 1, paths: 1 });
  });

  it('spans the times at which its events were received', () => {
    const times = ['2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-03T00:00:00.000Z'];
    const { models } = new Aggregator(userKeys).aggregate(times.map((at) => batchOf([{ type: 'group' }], 'wk', at)));
    expect(models).toMatchObject([{ count: 3, firstSeen: times[1], lastSeen: times[2] }]);
  });

  it('keeps ids over processes, and statistics of equal shapes of two models apart', () => {
    const events = ['One', 'Two'].map((name) => ({ type: 'page', name, plan: `plan of ${name}` }));
    const [first, second] = [new Aggregator(userKeys), new Aggregator(userKeys)].map(
      (one) => one.aggregate([batchOf(events)]).models,
    );
    const idsOf = (delta: typeof first) =>
      delta?.map(({ eventId, versions }) => [eventId, [...versions.values()].map(({ versionId }) => versionId)]);
    expect(idsOf(first)).toEqual(idsOf(second));
    const plansOf = (delta: NonNullable<typeof first>[number]) => {
      const [version] = delta?.versions.values() ?? [];
      return version && valuesOf(Statistics.decode('version', version.statistics.encode()))['plan'];
    };
    expect((first ?? []).map(plansOf)).toEqual([{ 'plan of One': 1 }, { 'plan of Two': 1 }]);
  });

  it('stays exact when keys never repeat and what was learnt has to be forgotten', () => {
    const aggregator = new Aggregator(userKeys);
    const long = 'x'.repeat(400);
    const rounds = Math.ceil((1.2 * TRIE_CHARS_MAX) / (2 * 150 * long.length));
    for (let round = 0; round < rounds; round += 1) {
      const dynamic = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${round}-${at}-${long}`, 1]));
      const delta = aggregator.aggregate([batchOf([{ type: 'page', dynamic }, { type: 'alias' }, { type: 'alias' }])]);
      expect(delta.models).toMatchObject([{ count: 1 }, { count: 2 }]);
      expect(delta.models[1]?.versions.size).toBe(1);
    }
  });
});
