import type { JsonObject } from '@weir/contracts';
import { sampleEvents } from './kind-samples.js';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const nested = (levels: number): JsonObject =>
  Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ a: inner, b: [1] }), { end: 'x' });

const keyedBy = (count: number, keyOf: (index: number) => string, make: (index: number) => unknown = () => 1) => {
  const object: JsonObject = {};
  for (let index = 0; index < count; index += 1) object[keyOf(index)] = make(index);
  return object;
};

/** Texts that may be slow for a pattern, an encoder, or a parser of addresses or times. */
const textsOf = (length: number): Record<string, string> => {
  const full = (unit: string) => unit.repeat(length / unit.length);
  return {
    'a long word': full('x'),
    'many words': full('Aa '),
    blanks: full(' '),
    'line breaks': full('\r\n'),
    'open braces': full('{{'),
    placeholders: full('{{a}}'),
    'an address of dots': `a@${full('.')}@`,
    'an address of at-signs': `${full('a@')}b.c`,
    'a long name for (a+)+$': `${full('a')}!`,
    digits: full('1'),
    'dots and digits': full('1.'),
    'a phone': `+${full('1 (2)-')}`,
    'slashes and dots': full('../'),
    'an address of the web': `https://${full('a.')}com/?a=1`,
    'a query': `https://a.example/?${full('a=1&')}`,
    percents: full('%'),
    'signs of markup': full('<>&"\''),
    'halves of surrogates': '\ud800'.repeat(length / 6),
    'a browser': full('Mozilla/5.0 ('),
    separators: full('_- '),
    capitals: full('aB'),
    'a word of the language': 'constructor',
    'another word of the language': '__proto__',
    'a nul': '\u0000'.repeat(length / 6),
  };
};

const product = (index: number): JsonObject => ({
  product_id: `p-${index}`,
  sku: 's',
  price: '1.5',
  quantity: 2,
  name: 'n',
});

/** Large values with about `parts` keys and items. Keys begin with `word`. */
const shapesOf = (parts: number, word: string): Record<string, unknown> => {
  const part = (share: number) => Math.floor(parts / share);
  const keyed = (count: number, make: (index: number) => unknown) => keyedBy(count, (index) => `${word}${index}`, make);
  return {
    zeros: Array(parts).fill(0),
    'small objects': Array(parts).fill({}),
    texts: Array(parts).fill('x'),
    products: times(part(9), (index) => ({ ...product(index), ...keyed(3, () => 'x') })),
    keys: keyed(part(5), (index) => index),
    'half as many keys': keyed(part(10), (index) => index),
    'keys with texts': keyed(part(5), () => 'a text of some length'),
    'keys with lists': keyed(part(5), () => ['a', 'b']),
    'keys with objects': keyed(part(5), (index) => ({ [`Key ${word}${index}`]: 'a' })),
    'keys with dots': keyedBy(part(10), (index) => `${'a.'.repeat(20)}${word}${index}`),
    'keys with brackets': keyedBy(part(5), (index) => `a[0].${word}[${index}]`),
    'objects of a key each': times(part(2), (index) => ({ [`${word}${index}`]: index })),
    'large objects': times(4, () => keyed(part(5), (index) => index)),
    'deep ones': times(part(100), () => nested(30)),
    'own keys of the language': JSON.parse(
      '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1,"length":5}',
    ),
  };
};

/** Paths where a kind may read a text. */
const TEXT_PLACES = [
  ...['userId', 'anonymousId', 'event', 'name', 'category', 'groupId', 'previousId', 'messageId', 'channel'],
  ...['traits.email', 'traits.name', 'traits.phone', 'traits.createdAt', 'traits.birthday', 'traits.address'],
  ...[
    'context.traits.email',
    'context.userAgent',
    'context.ip',
    'context.locale',
    'context.timezone',
    'context.os.name',
  ],
  ...['context.page.url', 'context.page.referrer', 'context.device.id', 'context.device.type', 'context.app.version'],
  ...['properties.email', 'properties.url', 'properties.category', 'properties.currency', 'properties.value'],
];
const SHAPE_PLACES = [
  ...['properties', 'traits', 'context', 'context.traits', 'integrations', 'context.externalId', 'traits.address'],
  ...['userId', 'event', 'properties.products'],
];
const TYPES = ['identify', 'track', 'page', 'group'];

/** An event built to be slow, with its description. */
export interface HostileEvent {
  name: string;
  event: JsonObject;
}

/** Size of {@link hostileEvents}: characters per text, keys and items per value, and the prefix of keys. */
export interface HostileSize {
  length: number;
  parts: number;
  word?: string;
}

/** Valid events that reveal slow code in a kind: texts of `length` characters, values of `parts` keys and items. */
export function* hostileEvents({ length, parts, word = 'key' }: HostileSize): Generator<HostileEvent> {
  const [texts, shapes] = [Object.entries(textsOf(length)), Object.entries(shapesOf(parts, word))];
  for (const event of sampleEvents().filter(({ type }) => TYPES.includes(String(type)))) {
    for (const [what, text] of texts) {
      yield { name: `${event['type']} with ${what} as userId`, event: { ...event, userId: text } };
      yield { name: `${event['type']} with ${what} everywhere`, event: withAll(event, TEXT_PLACES, text) };
    }
    for (const [what, value] of shapes) {
      for (const place of SHAPE_PLACES) {
        yield { name: `${event['type']} with ${what} as ${place}`, event: withAll(event, [place], value) };
      }
    }
  }
}

const withAll = (event: JsonObject, places: readonly string[], value: unknown): JsonObject =>
  places.reduce((soFar, place) => withValue(soFar, place.split('.'), value), event);

function withValue(object: JsonObject, [key = '', ...rest]: string[], value: unknown): JsonObject {
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = object[key];
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...object, [key]: withValue(isObject ? (inner as JsonObject) : {}, rest, value) };
}
