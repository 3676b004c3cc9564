import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import adjust from './adjust.js';

const config = { appToken: 'a', customMappings: [{ from: 'Paid', to: 'tok' }] };
const device = { type: 'iPadOS', id: 'd', advertisingId: 'ad' };
const payloadOf = (event: JsonObject, more: JsonObject = {}) => {
  const sample = { ...ada, type: 'track', event: 'Paid', context: { device } };
  const [payload] = adjust.transform({ ...sample, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const send = (event: JsonObject, more: JsonObject = {}) => payloadOf(event, more).params;
const usual = { s2s: 1, app_token: 'a', event_token: 'tok', environment: 'sandbox', idfa: 'ad', idfv: 'd' };

describe('an Adjust event', () => {
  it('is all in its parameters', () => {
    const { params, body, ...rest } = payloadOf({});
    expect(params).toEqual(usual);
    expect(Object.values(body)).toEqual([{}, {}, {}, {}]);
    expect(rest).toMatchObject({
      ...{ method: 'POST', endpoint: 'https://s2s.adjust.com/event', headers: { accept: '*/*' }, userId: 'anon-1' },
    });
    expect(send({}, { environment: true })).toEqual({ ...usual, environment: 'production' });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { context: { device: { ...device, type: 'IOS', attTrackingStatus: 0 } } },
      { idfa: 'ad', idfv: 'd', att_status: 0 },
    ],
    [{ context: { device: { ...device, type: 'watchos', adTrackingEnabled: false } } }, { tracking_enabled: false }],
    [{ context: { device, ip: '1.2.3.4' }, request_ip: '5.6.7.8' }, { ip_address: '1.2.3.4' }],
    [{ context: { device }, request_ip: '5.6.7.8' }, { ip_address: '5.6.7.8' }],
    [{ context: { device: { ...device, attTrackingStatus: {}, adTrackingEnabled: [] }, ip: {} } }, {}],
  ])('of %j has %j', (event, expected) => {
    expect(send(event)).toEqual({ ...usual, ...expected });
  });

  it('of Android has other ids', () => {
    const params = send({ context: { device: { type: 'Android', id: 'd', advertisingId: 'ad' } } });
    expect(params).toMatchObject({ gps_adid: 'ad', android_id: 'd' });
    expect(params).not.toHaveProperty('idfa');
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { revenue: 9.999, currency: 'EUR' },
      { revenue: 10, currency: 'EUR' },
    ],
    [{ revenue: '$20.378' }, { revenue: 20.38, currency: 'USD' }],
    [
      { revenue: '-5', currency: '' },
      { revenue: -5, currency: 'USD' },
    ],
    [{ revenue: 0, currency: 'EUR' }, { revenue: 0 }],
    [{ revenue: '', currency: 'EUR' }, { revenue: 0 }],
    [{ revenue: null, currency: 'EUR' }, {}],
    [{ currency: 'EUR' }, {}],
  ])('with %j is worth %j', (properties, expected) => {
    expect(send({ properties })).toEqual({ ...usual, ...expected });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { plan: 'pro', deep: { a: [1, { b: true }] }, none: null, no: false },
      { plan: 'pro', 'deep.a[0]': '1', 'deep.a[1].b': 'true', none: 'null', no: 'false' },
    ],
    [
      { empty: {}, list: [], blank: '' },
      { empty: '{}', list: '', blank: '' },
    ],
  ])('with %j calls back with %j', (properties, expected) => {
    const { callback_params } = send({ properties });
    expect(JSON.parse(String(callback_params))).toEqual(expected);
  });

  it('tells partners the configured properties', () => {
    const properties = {
      plan: 'pro',
      size: 0,
      tags: ['a', null, 2, { b: 1 }],
      deep: { a: 1 },
      orderId: 'o',
      revenue: 5,
      'own.name': 'x',
    };
    const keys = ['PLAN', 'size', 'tags', 'deep', 'deep.a', 'orderId', 'revenue', 'own.name', 'none'];
    const partnerParamsKeys = [...keys.map((from) => ({ from, to: `p-${from}` })), { from: ' ', to: 'x' }];
    expect(send({ properties }, { partnerParamsKeys })['partner_params']).toEqual({
      ...{ 'p-PLAN': 'pro', 'p-tags': 'a,,2,{"b":1}', 'p-deep': '{"a":1}', 'p-revenue': '5', 'p-own.name': 'x' },
    });
    expect(send({ properties }, { partnerParamsKeys: [{ from: 'none', to: 'x' }] })).not.toHaveProperty(
      'partner_params',
    );
  });

  it('has the last token that is configured for its name', () => {
    const customMappings = [...config.customMappings, { from: 'paid', to: 'other' }, { from: 'Paid', to: 'last' }];
    expect(send({}, { customMappings })['event_token']).toBe('last');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ event: 'Other' }, {}, 'no event token for Other'],
    [{ event: ' Paid' }, {}, 'no event token for  Paid'],
    [{}, { customMappings: [{ from: 'Paid', to: '' }] }, 'no event token for Paid'],
    [{ event: '' }, {}, 'Event name is required'],
    [{ properties: { revenue: '5x' } }, {}, 'properties.revenue must be a number'],
    [{ properties: { revenue: '1,000' } }, {}, 'properties.revenue must be a number'],
    [{ properties: { revenue: '€5' } }, {}, 'properties.revenue must be a number'],
    [{ properties: { revenue: [] } }, {}, 'properties.revenue must be a number'],
    [{ context: {} }, {}, 'context.device.type'],
    [{ context: { device: { ...device, type: 'Windows' } } }, {}, 'context.device.type'],
    [{ context: { device: { id: 'd' }, os: { name: 'iOS' } } }, {}, 'context.device.type'],
    [{ context: { device: { type: 'ios', advertisingId: 'ad' } } }, {}, 'context.device.id is required'],
    [{}, { appToken: '' }, 'appToken is required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused: %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
