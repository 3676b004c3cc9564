import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { moengageTransform } from './moengage.transform.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  moengageTransform({ ...ada, ...event }, { apiId: 'w', apiKey: 'k', region: 'EU', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) => [endpoint.replace('https://api-02.moengage.com/v1/', ''), body.JSON] as const,
  );

describe('MoEngage', () => {
  const device = { id: 'd', token: 't', type: 'iPadOS', model: 'M' };

  it('has customers, and devices that can be pushed to', () => {
    const traits = { firstName: 'Ada', plan: { name: 'pro' }, createdAt: 'then' };
    expect(send({ type: 'identify', traits, context: { device } })).toEqual([
      [
        'customer/w',
        {
          type: 'customer',
          customer_id: 'ada',
          attributes: {
            firstName: 'Ada',
            first_name: 'Ada',
            'plan.name': 'pro',
            createdAt: 'then',
            created_time: 'then',
          },
        },
      ],
      [
        'device/w',
        {
          type: 'device',
          customer_id: 'ada',
          device_id: 'd',
          attributes: { platform: 'iOS', model: 'M', push_id: 't' },
        },
      ],
    ]);
    expect(send({ type: 'identify', traits }, { useObjectData: true })[0]?.[1]).toMatchObject({
      attributes: { plan: { name: 'pro' } },
    });
  });

  it('has events with the time of the user', () => {
    const event = {
      type: 'track',
      event: 'Paid',
      channel: 'web',
      properties: { a: [1] },
      context: { timezone: 'Asia/Kolkata' },
    };
    const action = { action: 'Paid', attributes: { 'a[0]': 1 }, platform: 'web', current_time: ada.timestamp };
    expect(send(event)[0]?.[1]).toMatchObject({ actions: [{ ...action, user_timezone_offset: 19_800 }] });
    expect(send({ ...event, context: { timezone: 'No/Where' } })[0]?.[1]).toMatchObject({ actions: [action] });
  });

  it('merges by alias', () => {
    expect(send({ type: 'alias', previousId: 'old' })).toEqual([
      ['customer/merge?app_id=w', { merge_data: [{ merged_user: 'old', retained_user: 'ada' }] }],
    ]);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, { region: 'MARS' }, 'region must be'],
    [{ type: 'identify', userId: '', anonymousId: '' }, {}, 'userId or anonymousId is required'],
    [{ type: 'alias' }, {}, 'userId and previousId are required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('refuses %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});
