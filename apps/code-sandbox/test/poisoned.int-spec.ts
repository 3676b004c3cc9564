import { describe, expect, it } from '@jest/globals';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

/** Every prototype that the guest uses, and some more. */
const PROTOTYPES = [
  'Array',
  'ArrayBuffer',
  'Boolean',
  'Date',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'TypeError',
  'Uint8Array',
  'WeakMap',
];
const PARTS = [
  ...PROTOTYPES.flatMap((name) => [name, `${name}.prototype`]),
  'JSON',
  'Math',
  'Reflect',
  'Object.getPrototypeOf(Uint8Array.prototype)',
  'Object.getPrototypeOf([][Symbol.iterator]())',
  'Object.getPrototypeOf(new Map()[Symbol.iterator]())',
  'Object.getPrototypeOf(""[Symbol.iterator]())',
  'Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))',
  'Object.getPrototypeOf(async () => {})',
];

/** Makes every method and getter hang. The user code that runs it must be finished by then. */
const POISON = `
  const { getOwnPropertyDescriptor, defineProperty } = Object, { ownKeys } = Reflect;
  const never = function () { for (;;); };
  const poison = (target) => {
    const keys = ownKeys(target);
    for (let index = 0; index < keys.length; index += 1) {
      const { configurable, get, value } = getOwnPropertyDescriptor(target, keys[index]);
      if (!configurable) continue;
      if (get) defineProperty(target, keys[index], { get: never, configurable: true });
      else if (typeof value === 'function') defineProperty(target, keys[index], { value: never, configurable: true });
    }
  };`;
const EVENTS = `(event) => {
  log('seen', event);
  if (event.messageId === 'm2') throw error;
  return event.messageId === 'm3' ? null : { ...event, meta: metadata(event).n };
}`;

const events = [track('m1'), track('m2'), track('m3'), track('m4')];
const metadata = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }];
const LOGS = events.map((event) => `Log: seen ${JSON.stringify(event)}`);

describe('user code that poisons the language', () => {
  const sandbox = useSandbox({ limitMs: 3_000 });

  it.each(PARTS)('%s: every result is told as it is', async (part) => {
    const code = `${POISON} const error = new Error('told'); error.stack;
      poison(${part});
      let metadata;
      const each = ${EVENTS};
      export const transformEvent = (event, meta) => { metadata = meta; return each(event); };`;
    const { results, logs } = await sandbox.run({ code, events, metadata, mode: 'test' });
    expect(results).toEqual([
      ok({ ...track('m1'), meta: 1 }),
      failed(expect.stringMatching(/^Error: told\n/)),
      { status: 'dropped' },
      ok({ ...track('m4'), meta: 4 }),
    ]);
    expect(logs).toEqual(LOGS);
  });

  it.each(PARTS)('%s: every result of a batch is told as it is', async (part) => {
    const code = `${POISON} poison(${part});
      export const transformBatch = (events, metadata) => {
        log('seen', events[0]);
        const last = { ...events[3], meta: metadata(events[3]).n };
        events[0] = last; events[1] = 5; events.length = 2;
        return events;
      };`;
    const { results, logs } = await sandbox.run({ code, events, metadata, mode: 'test' });
    expect(results).toEqual([
      failed('returned event in events array from transformBatch(events) is not an object'),
      { status: 'dropped' },
      { status: 'dropped' },
      ok({ ...track('m4'), meta: 4 }),
    ]);
    expect(logs).toEqual(LOGS.slice(0, 1));
  });

  it('every name of the global object: every result is told as it is', async () => {
    const code = `${POISON} const error = new Error('told'); error.stack;
      let metadata;
      const write = log, each = ${EVENTS.replace('log(', 'write(')};
      poison(globalThis);
      export const transformEvent = (event, meta) => { metadata = meta; return each(event); };`;
    const { results, logs } = await sandbox.run({ code, events, metadata, mode: 'test' });
    expect([results.map(({ status }) => status), logs]).toEqual([['ok', 'error', 'dropped', 'ok'], LOGS]);
  });

  it.each(['Object.prototype', 'Array.prototype'])(
    'a trap in %s for every field and index that the driver has: it is told as it is',
    async (part) => {
      const fields = [
        ...['frame', 'file', 'line', 'column', 'message', 'metadata', 'source', 'error', 'response', 'call', 'groups'],
        ...['strays', 'results', 'status', 'outputs', 'isLoose', 'settle', 'interrupt', 'text', 'secrets', 'action'],
        ...['0', '1', '2', '3', '4', '5'],
      ];
      const code = `${POISON}
      const fields = ${JSON.stringify(fields)};
      for (let index = 0; index < fields.length; index += 1)
        defineProperty(${part}, fields[index], { get: never, set: never, configurable: true });
      export const transformEvent = (event) => {
        if (event.messageId === 'm2') throw { __proto__: null, stack: 'Error: told' };
        if (event.messageId === 'm3') return new Promise(() => {});
        return event;
      };`;
      const { results } = await sandbox.run({ code, events });
      expect(results).toEqual([
        ok(track('m1')),
        failed('Error: told'),
        failed(expect.stringMatching(/never settles/)),
        ok(track('m4')),
      ]);
    },
  );

  it('a callback for what is collected is not there: it would run when no run is on', async () => {
    expect(
      await sandbox.results({ code: 'export const transformEvent = () => ({ a: typeof FinalizationRegistry });' }),
    ).toEqual([ok({ a: 'undefined' })]);
  });
});
