import { type DestinationDefinition, isJsonObject, type JsonObject, mapSecrets } from '@weir/contracts';

const context = {
  app: { namespace: 'com.example.shop', version: '1.2.3', build: '45' },
  device: {
    id: 'device-1',
    advertisingId: '6d9f0b9e-1111-4222-8333-444455556666',
    type: 'android',
    token: 'push-token-1',
  },
  ip: '192.0.2.7',
  locale: 'en-US',
  os: { name: 'android', version: '14' },
  page: { url: 'https://shop.example.com/cart', path: '/cart', title: 'Cart', referrer: 'https://example.com' },
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  traits: { email: 'ada@example.com', name: 'Ada Lovelace', phone: '+12025550123', plan: 'pro' },
  externalId: [
    { type: 'appsflyerExternalId', id: 'af-1' },
    { type: 'brazeExternalId', id: 'braze-1' },
  ],
};
const integrations = {
  All: true,
  AF: { af_uid: 'af-1' },
  AppsFlyer: { appsflyerExternalId: 'af-1' },
  Ometria: { listingId: 'listing-1' },
};
const common = {
  ...{ userId: 'ada', anonymousId: 'anon-1', messageId: 'm-1', channel: 'mobile', context, integrations },
};
const order = {
  ...{ order_id: 'o-1', currency: 'USD', revenue: 12.5, value: 12.5, total: 12.5, email: 'ada@example.com' },
  name: 'Order o-1',
  ...{ actionSource: 'app_android', index: 'shoes' },
  products: [
    {
      ...{ product_id: 'p-1', objectId: 'p-1', sku: 's-1', variant: 'v-1', name: 'Shoe', price: 12.5, quantity: 1 },
      category: 'shoes',
    },
  ],
};

const group = { name: 'Analytical Engines', domain: 'example.com', groupType: 'company', subscribe: true };

/** One event of each type with the fields that vendors need. Uses the current time, because some vendors refuse old events. */
export function sampleEvents(): JsonObject[] {
  const now = new Date().toISOString();
  const times = { originalTimestamp: now, timestamp: now, sentAt: now, receivedAt: now };
  const traits = { ...context.traits, createdAt: now };
  return [
    { ...common, ...times, type: 'identify', traits },
    { ...common, ...times, type: 'track', event: 'Order Completed', properties: order },
    {
      ...common,
      ...times,
      type: 'page',
      name: 'Cart',
      category: 'shop',
      properties: { url: context.page.url, title: 'Cart' },
    },
    { ...common, ...times, type: 'screen', name: 'Cart', category: 'shop', properties: { title: 'Cart' } },
    { ...common, ...times, type: 'group', groupId: 'g-1', traits: { ...group } },
    { ...common, ...times, type: 'alias', previousId: 'anon-1' },
  ];
}

/** The part of a destination kind that a sample needs. */
interface SampledKind {
  definition: Pick<DestinationDefinition, 'config'>;
  example: JsonObject;
}

/** The example of a kind, completed by secrets from `secretOf` for each path. */
export function sampleConfig({ definition, example }: SampledKind, secretOf: (path: string) => string): JsonObject {
  const { secretKeys } = definition.config;
  const isInList = (path: string) => path.includes('.');
  const own = secretKeys.filter((path) => !isInList(path)).map((path) => [path, secretOf(path)] as const);
  return secretKeys.filter(isInList).reduce((filled, path) => mapSecrets(filled, [path], () => secretOf(path)), {
    ...structuredClone(example),
    ...Object.fromEntries(own),
  });
}

/**
 * A recognisable secret for a key. Its printable characters change under every escaping. It has a scheme or is a URL if the kind
 * expects that.
 */
export function tracer(path: string, mark: string): string {
  const key = path.replaceAll('.', '-');
  if (/webhook/i.test(path)) return `https://chat.example.com/services/${mark}/${key}Tr4cer`;
  const proper = `Tr4cer_${mark}+${key}/=%41 "x&y`;
  return path === 'headers.to' ? `Bearer ${proper}` : proper;
}

/** The encoded forms in which a text may appear. Written independently of the code that hides secrets. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const percent = encodeURIComponent(text);
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const form = new URLSearchParams({ k: text }).toString().slice(2);
  const pieces = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset, 'x'), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const piece = encoded.slice(offset === 0 ? 0 : 4, -4);
    return [piece, piece.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  const plain = [
    text,
    json,
    percent,
    percent.toLowerCase(),
    everyByte,
    everyByte.toUpperCase(),
    form,
    text.toLowerCase(),
    text.toUpperCase(),
  ];
  return [...new Set([...plain, ...pieces, hex, hex.toUpperCase(), JSON.stringify(json).slice(1, -1)])];
}

/** Whether a value contains any form of a text. */
export const holds = (value: unknown, text: string): boolean => {
  const where = isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return formsOf(text).some((form) => where.includes(form) || where.includes(JSON.stringify(form).slice(1, -1)));
};
