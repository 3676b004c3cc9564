import { isJsonObject, type JsonObject } from '@weir/contracts';
import { sampleEvents } from '@weir/testing';
import fc from 'fast-check';
import type { DestinationKind } from '../src/kind.js';

/** A path and the value that a usual event or a configuration gets there. */
export type Change = readonly [path: string, value: unknown];

const under = (bases: readonly string[], ends: string): string[] =>
  bases.flatMap((base) => ends.split(' ').map((end) => `${base}.${end}`));

/** Where senders put what vendors know: the user, the order, the device. */
const USUAL_PATHS: readonly string[] = [
  ...['type', 'userId', 'anonymousId', 'event', 'name', 'category', 'groupId', 'previousId', 'messageId', 'channel'],
  ...[
    'timestamp',
    'originalTimestamp',
    'sentAt',
    'traits',
    'properties',
    'context',
    'integrations',
    'integrations.All',
  ],
  ...under(
    ['traits', 'context.traits'],
    'id email phone name firstName lastname first_name gender age birthday createdAt avatar address address.city ' +
      'address.country address.postalCode city country company company.id company.name plan custom.deep list',
  ),
  ...under(
    ['properties'],
    'userId email phone revenue value total price quantity currency order_id product_id sku products products.0 ' +
      'products.0.price category name query coupon url path title referrer timestamp list custom.deep',
  ),
  ...under(
    ['context'],
    'ip locale timezone userAgent app app.version app.build device device.id device.type device.token ' +
      'device.advertisingId device.adTrackingEnabled os os.name network.carrier screen screen.width page page.url ' +
      'page.path page.referrer campaign campaign.name location.latitude externalId externalId.0 mappedToDestination',
  ),
];

/** Paths at which a kind looks in usual events. They hold what only this kind reads, such as its own options. */
function pathsRead(kind: DestinationKind, config: JsonObject): string[] {
  const paths = new Set<string>();
  for (const event of sampleEvents()) {
    try {
      kind.transform(noting(event, '', paths), config);
    } catch {
      // The reads before the refusal count too.
    }
  }
  return [...paths].filter((path) => !path.includes('__proto__')).sort();
}

function noting<T extends object>(value: T, base: string, paths: Set<string>): T {
  return new Proxy(value, {
    get: (target, key, receiver) => {
      const inner: unknown = Reflect.get(target, key, receiver);
      return typeof inner === 'object' && inner !== null ? noting(inner, `${base}${String(key)}.`, paths) : inner;
    },
    getOwnPropertyDescriptor: (target, key) => {
      paths.add(`${base}${String(key)}`);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

const NUMBERS = [0, 1, -1, 7, 12.5, 0.1, 1_772_600_767, 1_772_600_767_890, 1e21, 1e308, -0, 4_294_967_296];
const TEXTS = [
  ...[
    'ada@example.com',
    'ADA@Example.com ',
    '+12025550123',
    '(202) 555-0123',
    'Ada Lovelace',
    'f',
    'Female',
    'USD',
    'usd',
  ],
  ...[
    'US',
    'Germany',
    'en-US',
    'Europe/Berlin',
    '192.0.2.7',
    '2001:db8::1',
    'ios',
    'Android',
    '6d9f0b9e-1111-4222-8333-444455556666',
  ],
  ...[
    'https://shop.example.com/cart?a=1',
    '/cart',
    '2026-03-04T05:06:07.890Z',
    '1990-05-06',
    '05/06/1990',
    '1772600767',
    'true',
  ],
  ...[
    '7',
    '12.50',
    '1e999',
    '-',
    'Order Completed',
    'Product Added',
    'product_viewed',
    'Products Searched',
    'my event',
    'a.b',
    'all',
  ],
];
/** Texts without meaning, or with a meaning for a language, an address or a template. */
const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'é😀',
  '__proto__',
  'constructor',
  '../..',
  '%',
  '{{a}}',
  '<b>',
  "'",
  'x'.repeat(1_100),
];
const ODD = [null, true, false, {}, [], [null], [[]], [{}], { a: { b: [1, { c: null }] } }, ['a', 7, 'b@example.com']];

const product = fc.dictionary(
  fc.constantFrom('product_id', 'sku', 'name', 'price', 'quantity', 'category', 'brand', 'variant', 'url', 'custom'),
  fc.constantFrom(...TEXTS, ...NUMBERS, ...ODD),
  { maxKeys: 5 },
);
const externalId = fc.record({
  type: fc.constantFrom(...TEXTS, 'HS-contacts', 'brazeExternalId'),
  id: fc.constantFrom(...TEXTS, ...NUMBERS, ...ODD),
});
const jsonValue = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Any value of an event, more often one that a sender means than one that nobody means. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...ODD) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(...HOSTILE) },
  { weight: 1, arbitrary: fc.array(fc.oneof(product, externalId), { maxLength: 3 }) },
  { weight: 1, arbitrary: jsonValue },
);

/** A usual event of one of the six types, with values changed at usual paths and at paths that only this kind reads. */
export function anyEvent(kind: DestinationKind, config: JsonObject): fc.Arbitrary<[place: number, changes: Change[]]> {
  const own = pathsRead(kind, config);
  const path =
    own.length > 0
      ? fc.oneof(fc.constantFrom(...USUAL_PATHS), fc.constantFrom(...own))
      : fc.constantFrom(...USUAL_PATHS);
  return fc.tuple(fc.nat({ max: 5 }), fc.array(fc.tuple(path, anyValue), { maxLength: 8 }));
}

/** Other settings of a kind: mostly of the type that its schema names, sometimes of none. */
export function anyConfig({ definition }: DestinationKind): fc.Arbitrary<Change[]> {
  const { secretKeys, addressKeys } = definition.config;
  const isSecret = (key: string) => secretKeys.some((path) => path.split('.')[0] === key);
  const keys = Object.entries((definition.configSchema['properties'] ?? {}) as JsonObject)
    .filter(([key, schema]) => !isSecret(key) && (!addressKeys.includes(key) || isOfFew(schema)))
    .map(([key, schema]) => fc.tuple(fc.constant(key), settingOf(isJsonObject(schema) ? schema : {})));
  return keys.length > 0 ? fc.array(fc.oneof(...keys), { maxLength: 6 }) : fc.constant([]);
}

/** A version or a region: each of its values names a host of the vendor. */
const isOfFew = (schema: unknown) => isJsonObject(schema) && [schema['enum'], schema['examples']].some(Array.isArray);

const WORDS = [...TEXTS, 'email', 'plan', 'properties.order_id', 'traits.plan', 'Cart', 'identify', 'track'];

function settingOf(schema: JsonObject): fc.Arbitrary<unknown> {
  const { type, items, enum: values, examples } = schema;
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...values);
  if (Array.isArray(examples)) return fc.constantFrom<unknown>(...examples, 'another', '', null);
  const types = [type].flat();
  if (types.includes('boolean')) return fc.oneof({ weight: 9, arbitrary: fc.boolean() }, anyValue);
  if (types.includes('array') && isJsonObject(items) && isJsonObject(items['properties'])) {
    const texts = Object.keys(items['properties']).map((key) => [key, fc.constantFrom(...WORDS, '', true)] as const);
    return fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.record(Object.fromEntries(texts)), { maxLength: 3 }) },
      anyValue,
    );
  }
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...WORDS, 12, '') }, anyValue);
}

/** A copy with these values. Objects grow along each path, and a number names an item of a list. */
export const changed = (object: JsonObject, changes: readonly Change[]): JsonObject =>
  changes.reduce((soFar, [path, value]) => withValue(soFar, path.split('.'), value) as JsonObject, object);

function withValue(within: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return structuredClone(value);
  if (Array.isArray(within)) {
    return within.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  }
  const object = isJsonObject(within) ? within : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}
