import { type Attack, type Family, OVERFLOW } from './attack.js';

const batch = (body: string) => `export function transformBatch(events, metadata) { ${body} }`;
const THREE = {
  events: [{ messageId: 'a' }, { messageId: 'b' }, { messageId: 'c' }],
  metadata: [{ n: 1 }, { n: 2 }, { n: 3 }],
};
const NO_LIST = { error: 'returned events from transformBatch(event) is not an array' };
const NO_EVENT = { error: 'returned event in events array from transformBatch(events) is not an object' };
const all = (outcome: Attack[2]) => [outcome, outcome, outcome].flat();
const [A, B, C] = THREE.events as [{ messageId: string }, { messageId: string }, { messageId: string }];

const attacks: Attack[] = [
  ['nothing', batch(''), all(NO_LIST), THREE],
  ['a text', batch('return "events";'), all(NO_LIST), THREE],
  ['what only looks like a list', batch('return { length: 1, 0: events[0] };'), all(NO_LIST), THREE],
  ['an iterator', batch('return events.values();'), all(NO_LIST), THREE],
  ['a proxy of the list', batch('return new Proxy(events, {});'), [{ output: A }, { output: B }, { output: C }], THREE],
  [
    'a proxy that throws at its second element',
    batch('return new Proxy(events, { get(t, k) { if (k === "1") throw new Error("second"); return t[k]; } });'),
    all({ failing: 'Error: second' }),
    THREE,
  ],
  [
    'a length without end of nothing',
    batch(
      'return new Proxy([], { get: (t, k) => (k === "length" ? Infinity : k === "then" ? undefined : { k: "x".repeat(1e5) }) });',
    ),
    all('memory'),
    THREE,
  ],
  [
    'an identity that is claimed twice',
    batch('return [{ messageId: "b", x: 1 }, { messageId: "b", x: 2 }];'),
    [
      'dropped',
      {
        outputs: [
          { messageId: 'b', x: 1 },
          { messageId: 'b', x: 2 },
        ],
      },
      'dropped',
    ],
    THREE,
  ],
  [
    'an identity that nobody has',
    batch('return [{ messageId: "z" }];'),
    [{ output: { messageId: 'z' } }, 'dropped', 'dropped'],
    THREE,
  ],
  [
    'an identity that is no text',
    batch('return [{ messageId: { toString: () => "b" } }];'),
    [{ output: { messageId: {} } }, 'dropped', 'dropped'],
    THREE,
  ],
  [
    'an identity that throws',
    batch('return [{ get messageId() { throw new Error("id"); } }];'),
    all({ failing: 'Error: id' }),
    THREE,
  ],
  [
    'an identity that changes',
    batch('let n = 0; return [{ get messageId() { return "abc"[n++]; } }];'),
    [{ output: { messageId: 'b' } }, 'dropped', 'dropped'],
    THREE,
  ],
  [
    'an identity that all objects have',
    `Object.prototype.messageId = 'c'; ${batch('return [{ x: 1 }];')}`,
    ['dropped', 'dropped', { output: { x: 1 } }],
    THREE,
  ],
  [
    'identities that were exchanged',
    batch('[events[0].messageId, events[1].messageId] = ["b", "a"]; return events;'),
    [{ output: { messageId: 'b' } }, { output: { messageId: 'a' } }, { output: C }],
    THREE,
  ],
  ['events in reverse', batch('return events.reverse();'), [{ output: A }, { output: B }, { output: C }], THREE],
  [
    'one event for all',
    batch('return [events[1], events[1], events[1]];'),
    ['dropped', { outputs: [B, B, B] }, 'dropped'],
    THREE,
  ],
  [
    'values that are no events',
    batch('return [1, events[1], null, "x", undefined];'),
    [NO_EVENT, { output: B }, NO_EVENT],
    THREE,
  ],
  [
    'one that throws among others',
    batch(
      'Object.defineProperty(events[1], "x", { enumerable: true, get() { throw new Error("mine"); } }); return events;',
    ),
    [{ output: A }, { failing: 'Error: mine' }, { output: C }],
    THREE,
  ],
  [
    'one that is too large among others',
    batch('events[1].x = "x".repeat(1e6); return events;'),
    [{ output: A }, { error: 'returned event is larger than 921600 bytes' }, { output: C }],
    THREE,
  ],
  [
    'one that is too deep among others',
    batch('let a = {}; for (let i = 0; i < 1e6; i += 1) a = { a }; events[1].a = a; return events;'),
    [{ output: A }, OVERFLOW, { output: C }],
    THREE,
  ],
  [
    'a list of errors without end',
    batch('return Array(1e5).fill(events[0]).map(() => ({ get a() { throw new Error("e"); } }));'),
    all({ failing: 'Error: e' }),
    THREE,
  ],
  [
    'metadata of events that it exchanged',
    batch('return events.map((e) => ({ ...e, n: metadata(events[0]).n, copy: metadata({ messageId: "c" }).n }));'),
    [{ output: { ...A, n: 1, copy: 3 } }, { output: { ...B, n: 1, copy: 3 } }, { output: { ...C, n: 1, copy: 3 } }],
    THREE,
  ],
  [
    'a promise that resolves to a promise of a list',
    batch('return Promise.resolve({ then: (done) => done(Promise.resolve(events)) });'),
    [{ output: A }, { output: B }, { output: C }],
    THREE,
  ],
  ['a promise that never settles', batch('return new Promise(() => {});'), all({ failing: 'never settles' }), THREE],
  [
    'a list that changes after it was returned',
    batch('Promise.resolve().then(() => { events.length = 0; events.push({ forged: 1 }); }); return events;'),
    [{ output: { forged: 1 } }, 'dropped', 'dropped'],
    THREE,
  ],
  [
    'the list of events, poisoned',
    batch('events.length = 0; Object.setPrototypeOf(events, null); return events;'),
    all('dropped'),
    THREE,
  ],
  ['a loop over the second of several', batch('for (;;);'), all('timeout'), THREE],
];

export const batches: Family = { name: 'results of batches', memoryMb: 48, attacks };
