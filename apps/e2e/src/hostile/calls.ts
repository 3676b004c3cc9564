import { type Attack, EVENT_BYTES, EXPECTING, KIB, numbered, type Shot, tested, track } from './attack.js';

const read = (path: string, as: Shot['as'] = 'reader'): Shot => ({ as, method: 'GET', path });
const write = (path: string, body: unknown, as: Shot['as'] = 'writer'): Shot => ({ as, method: 'POST', path, body });
const expecting = (message: unknown, expect: unknown[]) => tested('webhook', message, { expect }, EXPECTING);
const list = numbered(16_000, (n) => ({ n }));
const code = (text: string) => ({ name: `attack ${Math.random()}`, code: text });
const KEEP = 'export function transformEvent(event) { return event; }';

/** Libraries that each import up to 20 libraries created before them. */
const graph = (size: number): Shot[] =>
  numbered(size, (n) =>
    write('/libraries?publish=true', {
      name: `attack graph ${n}`,
      code: `${numbered(Math.min(n, 20), (m) => `import * as l${m} from "attackGraph${n - 1 - m}";`).join('')} export const value = ${n};`,
    }),
  );

/** Attacks that need a token, mostly a read-only one, or no credentials at all. */
export const calls: Attack[] = [
  {
    name: 'expect: each item with each',
    shots: () =>
      expecting(track({ list }), [
        { pointer: '/data/0/user_transformed_payload/properties/list', includes: list.toReversed() },
      ]),
  },
  {
    name: 'expect: a text that is hard to search',
    shots: () =>
      expecting(track({ text: 'a'.repeat(400_000) }), [
        {
          pointer: '/data/0/user_transformed_payload/properties/text',
          includes: `${'a'.repeat(60_000)}b${'a'.repeat(60_000)}`,
        },
      ]),
  },
  {
    name: 'expect: fifty times the whole',
    shots: () =>
      expecting(
        track({ text: 'x'.repeat(200 * KIB) }),
        numbered(50, () => ({ pointer: '', equals: 1 })),
      ),
  },
  {
    name: 'expect: pointers without end',
    shots: () =>
      expecting(
        track({}),
        numbered(50, () => ({ pointer: '/data/0'.repeat(140), exists: true })),
      ),
  },
  {
    name: 'test: half a MiB of small objects',
    shots: () => tested('webhook', track({ list: Array(170_000).fill({}) })),
  },
  {
    name: 'test: half a MiB of keys',
    shots: () => tested('webhook', track(Object.fromEntries(numbered(30_000, (n) => [`key${n}`, n])))),
  },
  {
    name: 'test: fifty messages',
    shots: () =>
      tested(
        'webhook',
        numbered(50, (n) => track({ n, text: 'x'.repeat(9_000) })),
        {},
        EXPECTING,
      ),
  },
  {
    name: 'test: an address of dots',
    shots: () =>
      ['customerio', 'hubspot'].flatMap((kind) =>
        tested(
          kind,
          track({}, { userId: `a@${'.'.repeat(60_000)}@`, context: { traits: { email: `a@${'.'.repeat(60_000)}@` } } }),
        ),
      ),
  },
  {
    name: 'test: a name for patterns',
    shots: () => ['slack', 'discord'].flatMap((kind) => tested(kind, track({}, { event: `${'a'.repeat(29)}!` }))),
  },
  {
    name: 'test: templates with open braces',
    shots: () =>
      ['slack', 'discord'].flatMap((kind) =>
        tested(kind, { type: 'identify', userId: 'm', traits: { name: '{{'.repeat(100_000) } }),
      ),
  },
  {
    name: 'test: large events for every kind',
    shots: () =>
      ['slack', 'discord', 'customerio', 'hubspot'].flatMap((kind) =>
        tested(kind, track({ text: 'x'.repeat(EVENT_BYTES) })),
      ),
  },
  {
    name: 'destination: a pattern that goes back',
    shots: () => [
      write('/v2/destinations', {
        ...{ name: `attack ${Math.random()}`, type: 'SLACK', enabled: true },
        config: {
          webhookUrl: 'http://127.0.0.1:1',
          eventChannelSettings: [{ eventName: '^(a+)+$', eventChannel: 'c', eventRegex: true }],
        },
      }),
    ],
  },
  {
    name: 'destination: a template of blanks',
    shots: () => [
      write('/v2/destinations', {
        ...{ name: `attack ${Math.random()}`, type: 'SLACK', enabled: true },
        config: { webhookUrl: 'http://127.0.0.1:1', identifyTemplate: `{{${' '.repeat(1_800)}x` },
      }),
    ],
  },
  {
    name: 'destination: a configuration of keys',
    shots: () => [
      write('/v2/destinations', {
        name: 'attack',
        type: 'WEBHOOK',
        config: Object.fromEntries(numbered(15_000, (n) => [`key${n}`, n])),
      }),
    ],
  },
  {
    name: 'destination: headers without end',
    shots: () => [
      write('/v2/destinations', {
        name: `attack ${Math.random()}`,
        type: 'WEBHOOK',
        config: { webhookUrl: 'http://127.0.0.1:1', headers: numbered(4_000, (n) => ({ from: `h${n}`, to: 'v' })) },
      }),
    ],
  },
  {
    name: 'transformation: 250 KB of comment',
    shots: () => [write('/transformations?publish=true', code(`${KEEP} // ${'x'.repeat(250_000)}`))],
  },
  {
    name: 'transformation: 250 KB of brackets',
    shots: () => [write('/transformations?publish=true', code(`${KEEP} const a = ${'('.repeat(120_000)}`))],
  },
  {
    name: 'transformation: 250 KB of imports',
    shots: () => [
      write('/transformations?publish=true', code(`${KEEP} ${numbered(5_000, (n) => `import "lib${n}";`).join('')}`)),
    ],
  },
  {
    name: 'transformation: a pattern too large',
    shots: () => [write('/transformations?publish=true', code(`${KEEP} const p = /${'(a|'.repeat(30_000)}/;`))],
  },
  {
    name: 'transformation: loops while it loads',
    shots: () => [write('/transformations?publish=true', code(`${KEEP} for (;;);`))],
  },
  {
    name: 'transformation: test events without end',
    shots: () => [
      write('/transformations?publish=true', { ...code(KEEP), events: numbered(5_000, (n) => track({ n })) }),
    ],
  },
  { name: 'libraries: a graph of all with all', shots: () => graph(30) },
  {
    name: 'libraries: a circle',
    shots: () => [
      write('/libraries?publish=true', { name: 'attack circle', code: 'import "attackCircle"; export const a = 1;' }),
    ],
  },
  {
    name: 'regulation: five thousand users of twenty keys',
    shots: () => [
      write('/v2/regulations', {
        regulationType: 'suppress',
        users: numbered(5_000, (n) =>
          Object.fromEntries([['userId', `m${n}`], ...numbered(15, (key) => [`k${key}`, 'v'])]),
        ),
      }),
    ],
  },
  {
    name: 'regulation: a hundred thousand wrong users',
    shots: () => [write('/v2/regulations', { regulationType: 'suppress', users: Array(110_000).fill(1) })],
  },
  {
    name: 'regulation: users of wrong kinds',
    shots: () => [
      write('/v2/regulations', {
        regulationType: 'suppress',
        users: numbered(5_000, () => Object.fromEntries(numbered(20, (key) => [`k${key}`, {}]))),
      }),
    ],
  },
  {
    name: 'regulation: as deep as is taken',
    shots: () => [write('/v2/regulations', `{"users":${'['.repeat(500_000)}`)],
  },
  { name: 'regulation: one MiB of zeros', shots: () => [write('/v2/regulations', { users: Array(500_000).fill(0) })] },
  {
    name: 'query: NUL and surrogates',
    shots: () =>
      ['%00', '%ED%A0%80', 'a'.repeat(8_000)].map((text) => read(`/schemas/event-models?WriteKey=${text}`, 'operator')),
  },
  {
    name: 'query: schemas of the attacker',
    shots: () =>
      ['/schemas/event-models', '/json-schemas', '/typescript', '/drift'].map((path) =>
        read(`${path}?WriteKey=:writeKey`, 'operator'),
      ),
  },
  {
    name: 'query: the document of the API, many times',
    shots: () => numbered(20, () => read('/openapi.json', 'nobody')),
  },
  {
    name: 'credentials: two hundred wrong tokens',
    shots: () => numbered(200, (n) => read('/v2/sources', { token: `wrong-${n}` })),
  },
  {
    name: 'credentials: two hundred wrong passwords',
    shots: () => numbered(200, (n) => read('/schemas/event-models', { user: 'admin', password: `wrong-${n}` })),
  },
  {
    name: 'credentials: two hundred unknown write keys',
    shots: () =>
      numbered(200, (n) => ({
        as: { user: `key-${n}`, password: '' },
        method: 'POST',
        path: '/v1/track',
        body: track({}),
      })),
  },
  { name: 'credentials: a header of 15 KB', shots: () => [read('/v2/sources', { token: 'x'.repeat(15_000) })] },
  {
    name: 'paths: five hundred unknown ones',
    shots: () => numbered(300, (n) => read(`/v2/${'x/'.repeat(n % 50)}${n}`)),
  },
];
