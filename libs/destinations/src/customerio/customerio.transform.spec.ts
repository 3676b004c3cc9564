import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import type { Outbound, OutboundRequest } from '../kind.js';
import { customerioBatch, customerioDeliver } from './customerio.deliver.js';
import { customerioTransform } from './customerio.transform.js';

const config = { siteID: 's', apiKey: 'k' };
const at = Math.floor(Date.parse(ada.timestamp) / 1_000);
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = customerioTransform({ ...ada, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const call = (event: JsonObject, more: JsonObject = {}) => {
  const { method, endpoint, body } = send(event, more);
  return [`${method} ${endpoint.replace('https://track.customer.io/api/', '')}`, body.JSON];
};

describe('Customer.io', () => {
  const device = { token: 't/1', type: 'iPadOS' };

  it.each<[JsonObject, string, JsonObject]>([
    [
      { type: 'identify', traits: { plan: 'pro', address: { city: 'Turin' }, createdAt: '2026-01-01T00:00:00Z' } },
      'PUT v1/customers/ada',
      { plan: 'pro', city: 'Turin', created_at: 1_767_225_600, _timestamp: at, anonymous_id: 'anon-1' },
    ],
    [
      { type: 'track', event: 'Paid', userId: 'a/b', properties: { total: 1 } },
      'POST v1/customers/a%2Fb/events',
      { name: 'Paid', type: 'event', data: { total: 1 }, timestamp: at },
    ],
    [
      { type: 'track', event: 'x'.repeat(101), userId: '' },
      'POST v1/events',
      { name: 'x'.repeat(100), type: 'event', timestamp: at, anonymous_id: 'anon-1' },
    ],
    [
      { type: 'track', event: 'e', userId: '', context: { traits: { email: 'a@b.c' } } },
      'POST v1/customers/a%40b.c/events',
      { name: 'e', type: 'event', timestamp: at },
    ],
    [
      { type: 'page', properties: { url: 'u' } },
      'POST v1/customers/ada/events',
      { name: 'u', type: 'page', data: { url: 'u' }, timestamp: at },
    ],
    [
      { type: 'screen', name: 'Home' },
      'POST v1/customers/ada/events',
      { name: 'Viewed Home Screen', type: 'event', timestamp: at },
    ],
    [
      { type: 'track', event: 'Application Opened', context: { device }, properties: { a: 1 } },
      'PUT v1/customers/ada/devices',
      { device: { a: 1, id: 't/1', platform: 'ios', last_used: at } },
    ],
    [
      { type: 'track', event: 'Application Uninstalled', context: { device } },
      'DELETE v1/customers/ada/devices/t%2F1',
      {},
    ],
    [
      { type: 'group', groupId: 7, traits: { name: 'Weir', action: 'delete', objectTypeId: 2 } },
      'POST v2/batch',
      {
        ...{ type: 'object', action: 'delete', attributes: { name: 'Weir' } },
        identifiers: { object_id: '7', object_type_id: '2' },
        cio_relationships: [{ identifiers: { id: 'ada' } }],
      },
    ],
    [
      { type: 'alias', previousId: 'old@b.c' },
      'POST v1/merge_customers',
      { primary: { id: 'ada' }, secondary: { email: 'old@b.c' } },
    ],
  ])('%j', (event, path, body) => {
    expect(call(event)).toEqual([path, body]);
  });

  it('has another address in Europe', () => {
    expect(send({ type: 'identify' }, { datacenter: 'EU' }).endpoint).toBe(
      'https://track-eu.customer.io/api/v1/customers/ada',
    );
  });

  it.each<[JsonObject, string]>([
    [{ type: 'identify', userId: '' }, 'userId or traits.email is required'],
    [{ type: 'track', event: 'e', userId: '..' }, 'cannot be part of an address'],
    [{ type: 'track', event: 'Application Uninstalled' }, 'context.device.token'],
    [{ type: 'page' }, 'a page needs a name'],
    [{ type: 'alias' }, 'userId and previousId are required'],
  ])('refuses %j', (event, message) => {
    expect(() => send(event)).toThrow(message);
  });

  it('takes objects in batches, also alone', async () => {
    const object = send({ type: 'group', groupId: 'g' });
    expect(customerioBatch.keyOf(send({ type: 'identify' }))).toBeUndefined();
    expect(customerioBatch.combine([object, object]).body.JSON['batch']).toHaveLength(2);
    const sent: OutboundRequest[] = [];
    const outbound = {
      request: async (request: OutboundRequest) => {
        sent.push(request);
        return { status: 200, headers: {}, body: Buffer.from(''), truncated: false };
      },
    } as unknown as Outbound;
    await customerioDeliver(object, config, outbound, {});
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ batch: [{ type: 'object' }] });
  });
});
