import type { RequestInputOf, RunCode } from '@weir/contracts';

export type Request = RequestInputOf<typeof RunCode>;

/** An event of about 1.4 KB. */
const EVENT = {
  type: 'track',
  messageId: 'b7f5c1de-3a6e-4a53-9f0e-6d0f4a1c2b3d',
  userId: 'user-48151',
  event: 'Order Completed',
  originalTimestamp: '2026-03-01T10:00:00.000Z',
  context: {
    ip: '203.0.113.77',
    locale: 'en-GB',
    library: { name: 'web', version: '3.4.1' },
    page: {
      url: 'https://shop.example/checkout?utm_source=mail&utm_campaign=spring',
      title: 'Checkout',
      referrer: 'https://mail.example/',
    },
    traits: {
      email: 'Jane.Doe@example.com',
      phone: '+44 20 7946 0958',
      firstName: 'Jane',
      lastName: 'Doe',
      plan: 'gold',
    },
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
  },
  properties: {
    orderId: 'A-1042',
    currency: 'EUR',
    total: 129.9,
    coupon: null,
    card: '4111 1111 1111 1111',
    products: Array.from({ length: 6 }, (_, n) => ({
      sku: `sku-${n}`,
      name: `Product ${n}`,
      price: 20 + n,
      quantity: 1,
      category: 'toys',
    })),
    note: 'Leave it with the neighbours if nobody is at home; the bell at the back door has not worked since the frost, so knock twice, and not too early.',
  },
};

const LIBRARY = `
export const maskEmail = (email) => {
  const [name, domain] = String(email).toLowerCase().split('@');
  return domain ? name.slice(0, 1) + '***@' + domain : '***';
};
export const lastDigits = (text, count) => String(text).replace(/\\D/g, '').slice(-count).padStart(8, '*');
export const withoutQuery = (url) => String(url).split('?')[0];
`;

/** The most common kind of user code: masking, with a library. */
const MASKING = `import { maskEmail, lastDigits, withoutQuery } from 'masking';

const SECRET_KEYS = new Set(['card', 'password', 'iban']);
const DROPPED = ['Debug', 'Heartbeat'];

function masked(value) {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const result = {};
  for (const [key, inner] of Object.entries(value)) {
    result[key] = SECRET_KEYS.has(key) ? lastDigits(inner, 4) : masked(inner);
  }
  return result;
}

export function transformEvent(event, metadata) {
  if (DROPPED.includes(event.event)) return;
  const { traits, page } = event.context ?? {};
  if (traits) {
    if (traits.email) traits.email = maskEmail(traits.email);
    if (traits.phone) traits.phone = lastDigits(traits.phone, 3);
    delete traits.lastName;
  }
  if (page?.url) page.url = withoutQuery(page.url);
  if (event.context?.ip) event.context.ip = event.context.ip.replace(/\\.\\d+$/, '.0');
  event.properties = masked(event.properties ?? {});
  event.properties.itemCount = event.properties.products?.length ?? 0;
  event.context.source = metadata(event).sourceId;
  return event;
}
`;

const IDENTITY = 'export const transformEvent = (event) => event;';

/** A valid id of 27 characters. */
export const idOf = (n: number): string => `0bench${String(n).padStart(21, '0')}`;

const events = (count: number) =>
  Array.from({ length: count }, () => ({ message: EVENT, metadata: { sourceId: 'source-1' } }));

export function masking(workspace: number, version: number, count: number): Request {
  const libraries = [{ importName: 'masking', code: LIBRARY }];
  const code = `${MASKING}// version ${version}\n`;
  const bundle = { key: `${idOf(workspace)}/${version}`, name: 'masking', code, libraries };
  return { workspaceId: idOf(workspace), bundle, events: events(count), mode: 'live' };
}

/** The same with state that no result shows, so each run gets a fresh context. */
export function countedMasking(workspace: number, count: number): Request {
  const request = masking(workspace, 1, count);
  const code = `let events = 0;\n${MASKING.replace('metadata) {', 'metadata) {\n  events += 1;')}`;
  return { ...request, bundle: { ...request.bundle, key: 'counted', code } };
}

/** Never ends. Each call costs the sandbox one child, and a core for 4 s. */
export function endless(workspace: number): Request {
  const code = 'export function transformEvent() { for (;;); }';
  return { ...identity(workspace, 1), bundle: { key: 'endless', name: 'endless', code, libraries: [] } };
}

export function identity(workspace: number, count: number): Request {
  const bundle = { key: `${idOf(workspace)}/identity`, name: 'identity', code: IDENTITY, libraries: [] };
  return { workspaceId: idOf(workspace), bundle, events: events(count), mode: 'live' };
}

/** Masks for a second within one run, from text to text. The baseline for the cost of the round trip. */
export function rawMasking(): Request {
  const request = masking(1, 0, 1);
  const code = `${MASKING.replace('export function transformEvent', 'function mask')}
    export function transformEvent(event, metadata) {
      const json = JSON.stringify(event);
      const end = Date.now() + 1000;
      let perSecond = 0;
      while (Date.now() < end) {
        for (let n = 0; n < 100; n += 1) JSON.stringify(mask(JSON.parse(json), metadata));
        perSecond += 100;
      }
      return { perSecond };
    }`;
  return { ...request, bundle: { ...request.bundle, key: 'raw', code } };
}
