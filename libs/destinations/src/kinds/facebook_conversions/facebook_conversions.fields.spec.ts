import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { KNOWN_USER_ID, sha256, trait, valueAt } from '../../toolkit/index.js';
import facebookConversions from './facebook_conversions.js';

const CONFIG = { datasetId: 'd', accessToken: 't', actionSource: 'website' };
const timestamp = new Date(Date.now() - 1_000).toISOString();
const EVENT = { type: 'track', event: 'Bet', anonymousId: 'anon', messageId: 'm', timestamp, properties: {} };
const sent = (values: JsonObject, config: JsonObject = {}): JsonObject => {
  const [payload] = facebookConversions.transform(withValues(EVENT, values), { ...CONFIG, ...config });
  return JSON.parse(String([payload?.body.FORM['data']].flat()[0]));
};
const customOf = (values: JsonObject, config: JsonObject = {}) => sent(values, config)['custom_data'];
const word = (text: string) => sha256(text.toLowerCase());
const place = () => sha256('oneexamplecom');
const bare = { madid: 'a', anon_id: 'a' };

describe('a field of the event', () => {
  it.each<SourcesRow>([
    ['event_id', [...trait('event_id'), 'properties.event_id', 'messageId'], asItIs],
    ['event_source_url', ['context.page.url', 'properties.url'], asItIs],
    ['opt_out', [...trait('opt_out'), 'properties.opt_out'], asItIs],
    ['user_data.external_id', [...KNOWN_USER_ID, 'anonymousId'], sha256],
    ['user_data.em', trait('email'), word],
    ['user_data.ln', trait('lastname', 'lastName', 'last_name'), word],
    ['user_data.fn', trait('firstname', 'firstName', 'first_name'), word],
    ['user_data.ct', trait('address.city'), place],
    ['user_data.st', trait('address.state'), place],
    ['user_data.country', trait('address.country'), place],
    ['user_data.zp', [...trait('address.zip'), ...trait('address.postalCode')], place],
    ['user_data.client_ip_address', ['context.ip', 'request_ip'], asItIs],
    ['user_data.client_user_agent', ['context.userAgent'], asItIs],
    ['user_data.fbc', ['context.fbc', 'properties.fbc'], asItIs],
    ['user_data.fbp', ['context.fbp', 'properties.fbp'], asItIs],
    ['user_data.subscription_id', ['context.subscription_id'], asItIs],
    ['user_data.lead_id', ['context.lead_id'], asItIs],
    ['user_data.fb_login_id', ['context.fb_login_id'], asItIs],
    ['user_data.madid', ['context.device.advertisingId'], asItIs],
    ['user_data.anon_id', ['properties.anon_id', 'context.device.advertisingId'], asItIs],
  ])('%s is read from %j', (...row) => {
    expectSources((values) => sent(values), row);
  });

  const device = { type: 'android', adTrackingEnabled: true };
  const ofApp = {
    ...{ 'traits.action_source': 'app', 'properties.application_tracking_enabled': true },
    ...{ 'context.device': device, 'context.os.version': '14' },
  };
  it.each<SourcesRow>([
    ...['app.namespace', 'app.build', 'app.version', 'os.version', 'device.model', 'locale', 'abv_timezone'].map(
      (path, index): SourcesRow => [`extinfo.${index + 1}`, [`context.${path}`], asItIs],
    ),
    ...['network.carrier', 'screen.width', 'screen.height', 'screen.density', 'cpu_cores', 'ext_storage_size'].map(
      (path, index): SourcesRow => [`extinfo.${index + 8}`, [`context.${path}`], asItIs],
    ),
    ['extinfo.14', ['context.avl_storage_size'], asItIs],
    ['extinfo.15', ['context.timezone'], asItIs],
    ['campaign_ids', ['properties.campaignId', 'context.traits.campaignId', 'context.campaign.name'], asItIs],
    ['install_referrer', ['properties.install_referrer'], asItIs],
    ['installer_package', ['properties.installer_package'], asItIs],
    ['url_schemes', ['properties.url_schemes'], asItIs],
    ['windows_attribution_id', ['properties.windows_attribution_id'], asItIs],
    ['advertiser_tracking_enabled', ['context.device.adTrackingEnabled'], asItIs],
    ['application_tracking_enabled', ['properties.application_tracking_enabled'], asItIs],
  ])('of the app, %s, is read from %j', (key, ...row) => {
    expectSources((values) => sent({ ...ofApp, ...values }), [`app_data.${key}`, ...row]);
  });

  it.each<[JsonObject, string, unknown]>([
    [{ 'traits.email': ' Ada@Example.com ' }, 'em', sha256('ada@example.com')],
    [{ 'traits.phone': '+44 (20)' }, 'ph', sha256('4420')],
    [{ 'context.traits.phone': 4_420 }, 'ph', sha256('4420')],
    [{ 'properties.phone': '4420' }, 'ph', undefined],
    [{ 'traits.gender': 'Woman' }, 'ge', sha256('f')],
    [{ 'context.traits.gender': 'M' }, 'ge', sha256('m')],
    [{ 'traits.gender': 'other' }, 'ge', undefined],
    [{ 'traits.birthday': '1990-12-31' }, 'db', sha256('19901231')],
    [{ 'traits.birthday': 'in spring' }, 'db', sha256('in spring')],
    [{ 'traits.address.city': ' St. Gallen' }, 'ct', sha256('stgallen')],
    [{ 'traits.address.zip': 'AB1-2 C' }, 'zp', sha256('ab12c')],
    [{ 'traits.address.zip': 1_234 }, 'zp', sha256('1234')],
    [{ 'traits.address.zip': { a: 1 } }, 'zp', undefined],
    [{ 'traits.name': 'Ada King', 'traits.firstName': 'A' }, 'fn', sha256('Ada')],
    [{ 'context.traits.name': 'Ada King' }, 'ln', sha256('King')],
    [{ 'traits.name': 'Ada of King', 'traits.firstName': 'A' }, 'fn', sha256('a')],
    [{ 'traits.name': 'Ada' }, 'fn', undefined],
    [{ 'context.page.url': 'https://a.example.com/?fbclid=c1' }, 'fbc', `fb.1.${Date.parse(timestamp)}.c1`],
    [{ 'context.page.url': 'https://a.example.com/?fbclid=c1', 'context.fbc': 'c' }, 'fbc', 'c'],
    [{ 'context.page.url': 'no address ?fbclid=c1' }, 'fbc', undefined],
    [{ 'context.page.url': 'https://a.example.com/' }, 'fbc', undefined],
  ])('user data of %j has %s', (values, key, expected) => {
    expect(valueAt(sent(values), `user_data.${key}`)).toBe(expected);
  });

  it.each(['fb_conversions', 'fb conversions', 'FacebookConversions', 'Facebook Conversions', 'FB Conversions'])(
    'is no more than put in lower case if the option of %s says that it is hashed',
    (name) => {
      const traits = {
        email: ' A',
        phone: '+1',
        birthday: 'b',
        name: 'N M',
        gender: 'female',
        address: { city: 'C c' },
      };
      const blacklistPiiProperties = [{ blacklistPiiProperties: 'code', blacklistPiiHash: true }];
      const values = { traits, properties: { code: 7 }, 'context.device.advertisingId': 'a' };
      const event = sent({ ...values, integrations: { [name]: { hashed: true } } }, { blacklistPiiProperties });
      expect(event).toMatchObject({
        user_data: {
          external_id: 'anon',
          em: 'a',
          ph: '+1',
          db: 'b',
          fn: 'N',
          ln: 'M',
          ge: sha256('f'),
          ct: 'c c',
          ...bare,
        },
        custom_data: { code: '7' },
      });
    },
  );

  it('external_id may be left out', () => {
    expect(sent({ 'traits.email': 'a' }, { removeExternalId: true })['user_data']).toEqual({ em: sha256('a') });
  });
});

describe('custom data', () => {
  it('has all properties as they are, but not those of the event', () => {
    const properties = {
      a: null,
      b: { c: [1] },
      opt_out: false,
      event_id: 'e',
      action_source: 'chat',
      content_category: 'x',
    };
    expect(customOf({ properties })).toEqual({ a: null, b: { c: [1] }, content_category: 'x', currency: 'USD' });
    expect(customOf({ type: 'page', properties: { title: 'T' } })).toEqual({ title: 'T', currency: 'USD' });
  });

  it('has no personal property that is not allowed, and hashes those that are listed', () => {
    const config = {
      blacklistPiiProperties: [
        ...['code', 'phone', 'none', 'list'].map((key) => ({ blacklistPiiProperties: key, blacklistPiiHash: true })),
        { blacklistPiiProperties: 'plan', blacklistPiiHash: false },
        { blacklistPiiProperties: 'city' },
      ],
      whitelistPiiProperties: [{ whitelistPiiProperties: 'zip' }],
    };
    const personal = { email: 'e', firstName: 'f', last_name: 'l', gender: 'g', birthday: 'b', city: 'c', zip: 'z' };
    const properties = { ...personal, code: 7, phone: 'p', none: null, list: [1], plan: 'pro' };
    expect(customOf({ properties }, config)).toEqual({
      ...{ zip: 'z', plan: 'pro', currency: 'USD', none: sha256('null') },
      ...{ code: sha256('7'), phone: sha256('p'), list: sha256('[1]') },
    });
  });

  it.each<[JsonObject, unknown]>([
    [{ revenue: '$12.345', value: 1 }, 12.35],
    [{ value: '7' }, 7],
    [{ price: 0 }, 0],
    [{ total: 3.333 }, 3.33],
    [{}, undefined],
  ])('of %j is worth %j', (properties, value) => {
    expect(valueAt(customOf({ properties }), 'value')).toBe(value);
  });
});

describe('the products', () => {
  const item = { id: 'p', quantity: 1 };
  const products = [
    { product_id: 'p', price: '2' },
    { sku: 's', id: 'i', quantity: 3, delivery_category: 'd' },
    { name: 'n' },
    'odd',
  ];
  const list = [
    { id: 'p', quantity: 4, item_price: '2' },
    { id: 's', quantity: 3, delivery_category: 'd' },
  ];
  const delivered = [{ ...list[0], delivery_category: 'home' }, list[1]];
  const ofOrder = { products, quantity: 4, delivery_category: 'home', category: ['a', 1] };
  const names = { content_name: undefined, contentName: 'cn', name: 'n', product_name: 'pn' };
  const shownKeys = [
    'content_ids',
    'contents',
    'content_type',
    'content_category',
    'content_name',
    'num_items',
    'search_string',
  ];

  it.each<[string, JsonObject, JsonObject]>([
    [
      'Product List Viewed',
      ofOrder,
      { contents: list, content_ids: ['p', 's'], content_type: 'product', content_category: 'a,1', content_name: 'cn' },
    ],
    [
      'product list viewed',
      { category: 5 },
      {
        contents: [{ id: 5, quantity: 1 }],
        content_ids: [5],
        content_type: 'product_group',
        content_category: '5',
        content_name: 'cn',
      },
    ],
    ['product list viewed', {}, { contents: [], content_ids: [], content_name: 'cn' }],
    [
      'Product Viewed',
      { product_id: 'p', products, content_category: 'x' },
      { contents: [item], content_ids: 'p', content_type: 'product', content_name: 'n' },
    ],
    [
      'Product Added',
      { sku: 'p', quantity: 1 },
      { contents: [item], content_ids: 'p', content_type: 'product', content_name: 'n' },
    ],
    [
      'Products Searched',
      { query: 'q' },
      { contents: [], content_ids: [], content_type: 'product', search_string: 'q' },
    ],
    [
      'Order Completed',
      ofOrder,
      {
        contents: delivered,
        content_ids: ['p', 's'],
        content_type: 'product',
        content_category: 'a,1',
        content_name: 'cn',
        num_items: 2,
      },
    ],
    ['Checkout Started', { product_id: 'p' }, { contents: [], content_ids: [], content_type: 'product', num_items: 0 }],
    ['Payment Info Entered', { id: 'p' }, { contents: [item], content_ids: ['p'], num_items: 1 }],
    [
      'Payment Info Entered',
      ofOrder,
      { contents: delivered, content_ids: ['p', 's'], content_category: 'a,1', num_items: 2 },
    ],
    [
      'Product Added to Wishlist',
      { product_id: 'p', category: true },
      { contents: [item], content_ids: ['p'], content_category: 'true', content_name: 'n', num_items: 1 },
    ],
  ])('of %s with %j', (event, properties, expected) => {
    const custom = customOf({ event, properties: { ...names, ...properties } });
    expect(Object.fromEntries(shownKeys.map((key) => [key, valueAt(custom, key)]))).toEqual({
      ...Object.fromEntries(shownKeys.map((key) => [key, undefined])),
      ...expected,
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ 'properties.content_type': 'own', 'properties.category': 'shoes' }, {}, 'own'],
    [{ 'properties.category': 'shoes', 'integrations.FacebookConversions': { contentType: 'option' } }, {}, 'option'],
    [{ 'properties.category': 'shoes' }, {}, 'boots'],
    [{ 'properties.products': [{ category: 'shoes' }] }, {}, 'boots'],
    [{ 'properties.category': 'Shoes' }, {}, 'product'],
    [{ 'properties.category': 'shoes' }, { categoryToContent: null }, 'product'],
  ])('of %j with %j are of the type %s', (values, config, type) => {
    const categoryToContent = [
      { from: 'shoes', to: 'sandals' },
      { from: 'shoes', to: 'boots' },
      { from: 'shoes', to: '' },
    ];
    const custom = customOf({ event: 'Order Completed', ...values }, { categoryToContent, ...config });
    expect(valueAt(custom, 'content_type')).toBe(type);
  });
});
