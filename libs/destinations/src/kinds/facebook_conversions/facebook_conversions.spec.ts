import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { withValues } from '../../../test/sources.fixtures.js';
import facebookConversions from './facebook_conversions.js';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const CONFIG = { datasetId: 'd 1', accessToken: 't&', actionSource: 'website' };
const EVENT = { type: 'track', event: 'Bet', userId: 'ada', timestamp: ago(1_000) };
const send = (values: JsonObject, config: JsonObject = {}) =>
  facebookConversions.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const sent = (values: JsonObject, config: JsonObject = {}): JsonObject =>
  JSON.parse(String([send(values, config)[0]?.body.FORM['data']].flat()[0]));

describe('a request to Facebook', () => {
  it('has a token of an app as it is', () => {
    const [request] = send({}, { accessToken: '12|ab&' });
    expect(request?.endpoint).toMatch(/access_token=12\|ab%26$/);
  });

  it('is a form with one item', () => {
    expect(send({}, { testEventCode: 'T1' })).toMatchObject([
      {
        endpoint: 'https://graph.facebook.com/v25.0/d%201/events?access_token=t%26',
        headers: {},
        body: { FORM: { data: [expect.any(String)] } },
      },
    ]);
    const codeOf = (config: JsonObject) => send({}, config)[0]?.body.FORM['test_event_code'];
    expect(codeOf({ testEventCode: 'T1' })).toBeUndefined();
    expect(codeOf({ testDestination: true, testEventCode: 'T1' })).toBe('T1');
    expect(codeOf({ testDestination: true })).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ['Order Completed', {}, 'Purchase'],
    ['order_completed', {}, 'order_completed'],
    [' Bet ', {}, ' Bet '],
    ['Lead', {}, 'Lead'],
    ['BET', { from: 'bet', to: 'Lead' }, 'Lead'],
    ['Bet', { from: 'bet', to: 'lead' }, 'Bet'],
    ['Bet', { from: 'bet', to: 'Product Added' }, 'AddToCart'],
    ['Bet', { from: 'bet', to: 'Search' }, 'Search'],
    ['Bet', { from: 'bet', to: 'PageView' }, 'PageView'],
    ['Order Completed', { from: 'order completed', to: 'Own' }, 'Order Completed'],
    ['Bet', { from: 'bet ', to: 'Lead' }, 'Bet'],
    ['Bet', { from: 'bet', to: '' }, 'Bet'],
  ])('names %s mapped by %j %s', (event, mapping, name) => {
    expect(sent({ event }, { eventsToEvents: [{ from: 'bet', to: 'Contact' }, mapping].slice(-1) })['event_name']).toBe(
      name,
    );
  });

  it('takes the last mapping of a name, and views of a list for ViewContent', () => {
    const eventsToEvents = [
      { from: 'bet', to: 'Lead' },
      { from: 'Bet', to: 'ViewContent' },
    ];
    const properties = { category: 'c', product_id: 'p' };
    expect(sent({ properties }, { eventsToEvents })).toMatchObject({
      event_name: 'ViewContent',
      custom_data: { content_ids: ['c'] },
    });
  });

  it.each(['page', 'screen'])('calls a %s PageView', (type) => {
    expect(sent({ type, event: undefined })['event_name']).toBe('PageView');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{}, {}, 'website'],
    [{}, { actionSource: 'elsewhere' }, 'elsewhere'],
    [{ 'traits.action_source': 'email', 'properties.action_source': 'chat' }, {}, 'email'],
    [{ 'context.traits.action_source': 'chat' }, {}, 'chat'],
    [{ 'properties.action_source': 'phone_call' }, {}, 'phone_call'],
    [{ channel: 'web' }, { actionSource: '' }, 'website'],
    [{ channel: 'mobile' }, { actionSource: null }, 'other'],
  ])('of %j with %j says where it happened', (values, config, source) => {
    expect(sent(values, config)['action_source']).toBe(source);
  });

  it('says how far its data may be used', () => {
    const values = { 'context.dataProcessingOptions': [['LDU'], 1, 1000] };
    const limited = { limitedDataUSage: true };
    expect(sent(values, limited)).toMatchObject({
      ...{ data_processing_options: ['LDU'], data_processing_options_country: 1, data_processing_options_state: 1000 },
    });
    expect(sent(values)).not.toHaveProperty('data_processing_options');
    expect(sent({ 'context.dataProcessingOptions': 'LDU' }, limited)).not.toHaveProperty('data_processing_options');
  });
});

describe('an event of an app', () => {
  const app = {
    'properties.action_source': 'app',
    'properties.application_tracking_enabled': 0,
    'context.device': { type: 'iPadOS', adTrackingEnabled: false, model: 'M' },
    'context.os.version': '14',
  };

  it('has the data of the app', () => {
    const more = { app: { namespace: 'n', build: 'b', version: 'v' }, screen: { width: 10, height: 0, density: 2 } };
    const values = {
      ...app,
      'context.app': more.app,
      'context.screen': more.screen,
      'context.timezone': 'Europe/Rome',
    };
    expect(sent({ ...values, 'context.campaign.name': 'c', 'properties.install_referrer': 'r' })['app_data']).toEqual({
      ...{ advertiser_tracking_enabled: false, application_tracking_enabled: 0 },
      ...{ campaign_ids: 'c', install_referrer: 'r' },
      extinfo: ['i2', 'n', 'b', 'v', '14', 'M', '', '', '', 10, '', 2, '', '', '', 'Europe/Rome'],
    });
    const android = sent({ ...app, 'context.device.type': 'Android' })['app_data'] as JsonObject;
    expect(android['extinfo']).toEqual(['a2', '', '', '', '14', 'M', ...Array(10).fill('')]);
    expect(sent({ ...app, 'properties.action_source': 'website' })).not.toHaveProperty('app_data');
  });

  it.each<[JsonObject, string]>([
    [{ 'context.device.type': 'web' }, 'context.device.type must name'],
    [{ 'context.os.version': '' }, 'context.os.version is required'],
    [{ 'context.device.adTrackingEnabled': null }, 'advertiser_tracking_enabled is required'],
    [{ 'properties.application_tracking_enabled': '' }, 'application_tracking_enabled is required'],
  ])('is refused with %j', (values, message) => {
    expect(() => send({ ...app, ...values })).toThrow(message);
  });
});

describe('an event', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ timestamp: ago(7 * DAY_MS + 5_000) }, {}, 'from the last 7 days'],
    [{ timestamp: ago(-120_000) }, {}, 'at most a minute ahead'],
    [{ timestamp: ago(63 * DAY_MS), 'properties.action_source': 'physical_store' }, {}, 'from the last 62 days'],
    [{ timestamp: undefined }, {}, 'event_time is required'],
    [{ event: '' }, {}, 'Event name is required'],
    [{ event: 7 }, {}, 'Event name is required'],
    [{ userId: '' }, { removeExternalId: true }, 'needs a userId or an anonymousId'],
    [{}, { accessToken: '' }, 'accessToken is required'],
    [{}, { datasetId: null }, 'datasetId is required'],
    [{ 'properties.action_source': 'kiosk' }, {}, 'action_source must be one of'],
    [{ 'properties.revenue': 'much' }, {}, 'properties.revenue must be a number'],
    [{ event: 'Products Searched', 'properties.query': ['a'] }, {}, 'properties.query must be a text'],
    [{ event: 'Product Viewed', 'properties.category': { a: 1 } }, {}, 'properties.category must be a text'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('of %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(values, config)).toThrow(message);
  });

  it('of a shop may be two months old', () => {
    expect(send({ timestamp: ago(61 * DAY_MS), 'traits.action_source': 'physical_store' })).toHaveLength(1);
  });
});
