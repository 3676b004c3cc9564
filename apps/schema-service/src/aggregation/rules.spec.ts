import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { MemoryStore, missingKeys, type StoredModel, valuesOf } from '../../test/memory-store.js';
import { userKeys } from '../../test/user-keys.js';
import { Aggregator } from './aggregator.js';

/** Models of one source, keyed by `writeKey/type/name`. */
function modelsOf(events: readonly JsonObject[], writeKey = 'wk'): Map<string, StoredModel> {
  const store = new MemoryStore();
  const batch = { workspaceId: 'workspace', writeKey, receivedAt: '2026-03-04T05:06:07.000Z', events: [...events] };
  store.add(new Aggregator(userKeys).aggregate([batch]));
  return store.models;
}

const screens = (...contents: object[]) =>
  contents.map((content) => ({ type: 'screen', name: 'Seat map', ...content }));
const seatMap = (...contents: object[]) => modelsOf(screens(...contents)).get('wk/screen/Seat map') as StoredModel;
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const shapesOf = ({ versions }: StoredModel) =>
  [...versions.values()].map(({ schema, total }) => [total, [...schema.keys()].filter(isOwn).sort()]);
const isOwn = (path: string) => path !== 'type' && path !== 'name';
const schemaOf = ({ schema }: StoredModel) => Object.fromEntries([...schema].filter(([path]) => isOwn(path)));
const keyCountsOf = (model: StoredModel, path: string) =>
  [...model.versions.values()].reduce((sum, { schema, total }) => sum + (schema.has(path) ? total : 0), 0);

describe('events belong to models', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['track by event, whatever its name', { type: 'track', event: 'Seat chosen', name: 'x' }, 'track/Seat chosen'],
    ['page by name', { type: 'page', name: 'Checkout', event: 'x' }, 'page/Checkout'],
    ['screen by name', { type: 'screen', name: 'Checkout' }, 'screen/Checkout'],
    ['page without a name', { type: 'page' }, 'page/'],
    ['page whose name is no text', { type: 'page', name: { de: 'Kasse' } }, 'page/'],
    ['identify', { type: 'identify', event: 'x', name: 'y' }, 'identify/'],
    ['group', { type: 'group', name: 'Acme' }, 'group/'],
    ['alias', { type: 'alias', event: 'Merged' }, 'alias/'],
    ['a type that nobody knows', { type: 'heartbeat', name: 'x' }, 'heartbeat/'],
    ['an empty name', { type: 'track', event: '' }, 'track/'],
    ['a name as it is written', { type: 'track', event: '  Über Café ' }, 'track/  Über Café '],
    ['a name with U+0000', { type: 'track', event: 'half\0way' }, 'track/half\uFFFDway'],
    ['a name of half a character', { type: 'track', event: 'x\ud83d' }, 'track/x\uFFFD'],
    ['a name of 512 characters', { type: 'track', event: '𝄞'.repeat(512) }, `track/${'𝄞'.repeat(512)}`],
    ['a longer name', { type: 'track', event: 'é'.repeat(513) }, undefined],
    ['a track event without a name', { type: 'track', properties: { event: 'x' } }, undefined],
    ['a track event whose name is a number', { type: 'track', event: 404 }, undefined],
    ['a type that is no text', { type: ['track'], event: 'x' }, undefined],
    ['an empty type', { type: '', event: 'x' }, undefined],
  ])('%s', (_, event, model) => {
    expect([...modelsOf([event]).keys()]).toEqual(model === undefined ? [] : [`wk/${model}`]);
  });

  it('or are left out, without harm to others', () => {
    const unnamed = [{ type: 'track' }, { event: 'x' }, { type: 7, event: 'x' }, {}];
    const models = modelsOf([
      ...unnamed,
      { type: 'track', event: 'Named' },
      ...unnamed,
      { type: 'track', event: 'Named' },
    ]);
    expect([...models].map(([name, { total }]) => [name, total])).toEqual([['wk/track/Named', 2]]);
  });

  it('by exact type, name and source', () => {
    const composed = 'Ame\u0301lie'.normalize('NFC');
    const names = ['Amelie', 'amelie', composed, composed.normalize('NFD'), 'Amelie '];
    const events = names.flatMap((name) => [
      { type: 'page', name },
      { type: 'screen', name },
    ]);
    expect(modelsOf(events).size).toBe(2 * names.length);
    const sources = ['wk', 'WK'].flatMap((writeKey) => [...modelsOf(events, writeKey).keys()]);
    expect(new Set(sources).size).toBe(4 * names.length);
  });
});

describe('a schema', () => {
  it.each<[string, object, Record<string, string>]>([
    [
      'types',
      { row: 'A', number: 7, price: 7.5, free: true },
      { row: 'string', number: 'float64', price: 'float64', free: 'bool' },
    ],
    ['nothing of nulls and empty containers', { a: null, b: {}, c: [], d: { e: [{}, null] } }, {}],
    ['an empty text', { note: '' }, { note: 'string' }],
    [
      'indexes that stay where they are',
      { seats: [null, 'B2', {}, [9]] },
      { 'seats.1': 'string', 'seats.3.0': 'float64' },
    ],
    ['numeric keys like indexes', { seats: { 1: 'B2' } }, { 'seats.1': 'string' }],
    ['dotted keys like nested ones', { 'seat.row': 'A' }, { 'seat.row': 'string' }],
    ['empty keys', { '': { '': 1 } }, { '.': 'float64' }],
    [
      'keys of prototypes',
      JSON.parse('{"__proto__":1,"hasOwnProperty":"x"}'),
      JSON.parse('{"__proto__":"float64","hasOwnProperty":"string"}'),
    ],
    [
      'keys as they are written',
      { Row: 1, row: 'x', 'Reihe ': true },
      { Row: 'float64', row: 'string', 'Reihe ': 'bool' },
    ],
    ['U+0000 in keys as U+FFFD', { 'a\0b': 1 }, { 'a\uFFFDb': 'float64' }],
  ])('has %s', (_, content, schema) => expect(schemaOf(seatMap(content))).toEqual(schema));

  it('has a hundred levels and a thousand keys', () => {
    let deep: JsonObject = { end: 1 };
    for (let level = 0; level < 120; level += 1) deep = { k: deep };
    expect([...seatMap(deep).schema.keys()]).toContain(`${'k.'.repeat(120)}end`);
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`key ${at}`, at % 2 === 0 ? at : 'x']));
    expect(seatMap(wide).schema.size).toBe(1_002);
  });

  it('joins the types of a path', () => {
    const { seat } = schemaOf(seatMap({ seat: 3 }, { seat: '3A' }, { seat: false }, { seat: 4 }));
    expect(seat).toBe('float64,string,bool');
  });
});

describe('a version', () => {
  it.each<[string, object[], [number, string[]][]]>([
    [
      'whatever the order of keys',
      [
        { a: 1, b: { c: 'x', d: 1 } },
        { b: { d: 2, c: 'y' }, a: 2 },
      ],
      [[2, ['a', 'b.c', 'b.d']]],
    ],
    [
      'whatever the number is written as',
      [JSON.parse('{"a":5}'), JSON.parse('{"a":5.0}'), JSON.parse('{"a":5e0}')],
      [[3, ['a']]],
    ],
    [
      'with and without what holds nothing',
      [{ a: 1 }, { a: 1, b: null }, { a: 1, b: [] }, { a: 1, b: { c: null } }],
      [[4, ['a']]],
    ],
    ['dotted or nested', [{ 'a.b': 1 }, { a: { b: 2 } }], [[2, ['a.b']]]],
    ['list or object', [{ a: ['x'] }, { a: { 0: 'y' } }], [[2, ['a.0']]]],
  ])('is one %s', (_, contents, shapes) => expect(shapesOf(seatMap(...contents))).toEqual(shapes));

  it.each<[string, object[]]>([
    ['a key that is there or not', [{ a: 1 }, { a: 1, b: 1 }]],
    ['a type', [{ a: '1' }, { a: 1 }, { a: true }]],
    ['the length of a list', [{ a: [1] }, { a: [1, 2] }, { a: [1, 2, 3] }]],
    ['the case of a key', [{ a: 1 }, { A: 1 }]],
    ['separators inside of keys', [{ 'a:float64,b': 1 }, { a: 1, b: 1 }, { 'a","float64"],["b': 1 }]],
    ['a path that has two types at once', [{ a: { b: 1 } }, { a: { b: 1 }, 'a.b': 'x' }]],
  ])('differs by %s', (_, contents) => expect(seatMap(...contents).versions.size).toBe(contents.length));

  it('is found again when its shape comes back', () => {
    expect(shapesOf(seatMap({ a: 1 }, { b: 1 }, { a: 2 }, { b: 2 }, { a: 3 }))).toEqual([
      [3, ['a']],
      [2, ['b']],
    ]);
  });

  it('lacks the keys that only other versions have, whatever their types', () => {
    const model = seatMap({ a: 1, b: 1 }, { b: 'x', c: 1 }, { d: { e: 1 } });
    const missing = [...model.versions.values()].map((version) => missingKeys(model, version));
    expect(missing).toEqual([
      ['c', 'd.e'],
      ['a', 'd.e'],
      ['a', 'b', 'c'],
    ]);
  });
});

describe('counts', () => {
  it('are of events, not of routes to a path', () => {
    const model = seatMap({ a: { b: 1 }, 'a.b': 2 }, { a: { b: 1 } }, { a: null });
    expect(model.total).toBe(3);
    expect(keyCountsOf(model, 'a.b')).toBe(2);
  });

  it('are exact for models that come mixed', () => {
    const events = Array.from({ length: 900 }, (_, at) => ({
      type: 'track',
      event: `Gate ${at % 3}`,
      ...(at % 4 === 0 && { delayed: true }),
    }));
    const models = [...modelsOf(events).values()];
    expect(models.map(({ total }) => total)).toEqual([300, 300, 300]);
    expect(models.map((model) => keyCountsOf(model, 'delayed'))).toEqual([75, 75, 75]);
  });
});

describe('frequent values', () => {
  it('are texts as JSON prints them, so that a text and a number may be one', () => {
    const contents = [
      { v: 10 },
      { v: '10' },
      { v: 1e3 },
      { v: '1000' },
      { v: true },
      { v: 'true' },
      { v: '' },
      { v: -0 },
    ];
    expect(valuesOf(seatMap(...contents).statistics)['v']).toEqual({ '10': 2, '1000': 2, true: 2, '': 1, '0': 1 });
  });

  it('count U+0000 and halves of characters as U+FFFD, and what becomes equal as one', () => {
    const contents = [{ v: 'a\0' }, { v: 'a\uFFFD' }, { v: 'a\ud800' }];
    expect(valuesOf(seatMap(...contents).statistics)['v']).toEqual({ 'a\uFFFD': 3 });
  });

  it('make up one in a hundred observations of their path, not of the model', () => {
    const contents = [
      ...times(297, { gate: 'A', lounge: 'yes' }),
      ...times(3, { gate: 'B' }),
      ...times(2, { gate: 'C' }),
    ];
    const values = valuesOf(seatMap(...contents, ...times(500, {})).statistics);
    expect(values['gate']).toEqual({ A: 297 });
    expect(valuesOf(seatMap(...contents.slice(0, 300)).statistics)['gate']).toEqual({ A: 297, B: 3 });
    expect(values['lounge']).toEqual({ yes: 297 });
  });

  it('are of their version and of their model only', () => {
    const models = modelsOf(['Board', 'Leave'].map((event) => ({ type: 'track', event, gate: `of ${event}` })));
    const gates = [...models.values()].flatMap(({ statistics, versions }) =>
      [statistics, ...[...versions.values()].map((version) => version.statistics)].map((one) => valuesOf(one)['gate']),
    );
    expect(gates).toEqual([{ 'of Board': 1 }, { 'of Board': 1 }, { 'of Leave': 1 }, { 'of Leave': 1 }]);
  });

  it('are not cut: what is longer than 256 characters is observed, but not listed', () => {
    const contents = [...times(120, { v: 'x'.repeat(257) }), ...times(2, { v: '𝄞'.repeat(256) }), { v: 'rare' }];
    expect(valuesOf(seatMap(...contents).statistics)['v']).toEqual({ ['𝄞'.repeat(256)]: 2 });
  });
});
