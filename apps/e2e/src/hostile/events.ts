import { gzipSync } from 'node:zlib';
import { type Attack, EVENT_BYTES, listOf, numbered, raw, sent, track } from './attack.js';

const BODY_BYTES = 4_000_000;
const properties = (json: string) =>
  `{"batch":[{"type":"track","userId":"mallory","event":"attack","properties":${json}}]}`;
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const small = '{"type":"track","userId":"m","event":"e"}';

/** Attacks that need only a write key. */
export const events: Attack[] = [
  { name: 'event: half a MiB of small objects', shots: () => raw(properties(listOf('{}', EVENT_BYTES))) },
  { name: 'event: half a MiB of zeros', shots: () => raw(properties(listOf('0', EVENT_BYTES))) },
  { name: 'event: half a MiB of empty lists', shots: () => raw(properties(listOf('[]', EVENT_BYTES))) },
  {
    name: 'event: half a MiB of text',
    shots: () => raw(properties(JSON.stringify({ text: 'x'.repeat(EVENT_BYTES) }))),
  },
  {
    name: 'event: half a MiB of escapes',
    shots: () => raw(properties(`{"text":"${'\\u0001'.repeat(EVENT_BYTES / 6)}"}`)),
  },
  {
    name: 'event: forty thousand keys',
    shots: () => raw(properties(JSON.stringify(Object.fromEntries(numbered(34_000, (n) => [`key${n}`, n]))))),
  },
  {
    name: 'event: keys of 100 KB',
    shots: () => sent(track(Object.fromEntries(numbered(5, (n) => [`${n}`.repeat(100_000), n])))),
  },
  { name: 'event: as deep as is taken', shots: () => raw(properties(nested(195))) },
  { name: 'event: deeper than is taken', shots: () => raw(properties(nested(100_000))) },
  {
    name: 'event: dotted keys',
    shots: () => sent(track(Object.fromEntries(numbered(1_000, (n) => ['a.'.repeat(40) + n, n])))),
  },
  {
    name: 'event: shapes without number',
    shots: () =>
      numbered(20, (turn) => ({
        ...{ as: 'source' as const, method: 'POST' as const, path: '/v1/batch' },
        body: {
          batch: numbered(50, (n) => track(Object.fromEntries(numbered(200, (key) => [`k${turn}_${n}_${key}`, key])))),
        },
      })),
  },
  {
    name: 'event: names without number',
    shots: () =>
      numbered(10, (turn) => ({
        ...{ as: 'source' as const, method: 'POST' as const, path: '/v1/batch' },
        body: { batch: numbered(200, (n) => track({}, { event: `event ${turn} ${n}` })) },
      })),
  },
  {
    name: 'event: a NUL and halves of surrogates',
    shots: () => raw(properties('{"a":"\\u0000","b":"\\ud800","\\u0000":1}')),
  },
  { name: 'event: an address of dots', shots: () => sent(track({}, { userId: `a@${'.'.repeat(60_000)}@` })) },
  { name: 'event: a name for patterns', shots: () => sent(track({}, { event: `${'a'.repeat(29)}!` }), 5) },
  { name: 'event: a name of 500 KB', shots: () => sent(track({}, { event: 'a'.repeat(500_000) })) },
  { name: 'event: numbers beyond 2^53', shots: () => raw(properties(`{"n":${'9'.repeat(300)},"m":1e999}`)) },
  {
    name: 'event: own keys of the language',
    shots: () => raw(properties('{"__proto__":{"a":1},"constructor":{"prototype":{}}}')),
  },
  { name: 'body: four MB of small events', shots: () => raw(`{"batch":[${Array(9_900).fill(small).join()}]}`) },
  { name: 'body: four MB of small objects', shots: () => raw(`{"batch":${listOf('{}', BODY_BYTES)}}`) },
  {
    name: 'body: four MB of events of small objects',
    shots: () => raw(`{"batch":[${numbered(7, () => `{"userId":"m","p":${listOf('{}', EVENT_BYTES)}}`).join()}]}`),
  },
  {
    name: 'body: four MB of ids beyond 2^53',
    shots: () =>
      raw(`{"batch":[${numbered(7, () => `{"userId":1e30,"p":${listOf('{"userId":1e30}', EVENT_BYTES)}}`).join()}]}`),
  },
  {
    name: 'body: four MB around the batch',
    shots: () => raw(`{"x":${listOf('{}', BODY_BYTES - 200)},"batch":[${small}]}`),
  },
  { name: 'body: four MB of open brackets', shots: () => raw('['.repeat(BODY_BYTES)) },
  { name: 'body: four MB of white space', shots: () => raw(`${' '.repeat(BODY_BYTES - 200)}{"batch":[${small}]}`) },
  {
    name: 'body: four MB that end too early',
    shots: () => raw(`{"batch":[${Array(90_000).fill(small).join()}`.slice(0, BODY_BYTES)),
  },
  {
    name: 'body: eight events of half a MiB',
    shots: () => raw(JSON.stringify({ batch: numbered(7, () => track({ text: 'x'.repeat(EVENT_BYTES) })) })),
  },
  { name: 'body: more than is taken', shots: () => raw('x'.repeat(5_000_000)) },
  {
    name: 'body: a packed one that grows',
    shots: () => raw(gzipSync(Buffer.alloc(50_000_000, 0x20)), { 'content-encoding': 'gzip' }),
  },
  { name: 'body: bytes that are no text', shots: () => raw(Buffer.alloc(2_000_000, 0xff)) },
  {
    name: 'body: nine that never end',
    shots: () =>
      numbered(9, () => ({
        ...{ as: 'source' as const, method: 'POST' as const, path: '/v1/batch' },
        body: 'x'.repeat(3_900_000),
        slowly: { pieces: 5, gapMs: 800 },
      })),
  },
  {
    name: 'query: an image with two thousand keys',
    shots: () => [
      {
        ...{ as: 'nobody' as const, method: 'GET' as const },
        path: `/pixel/v1/track?writeKey=:writeKey&userId=m&event=e&${numbered(800, (n) => `properties.a.${n}=1`).join('&')}`,
      },
    ],
  },
];
