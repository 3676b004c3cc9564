import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { adjustTransform } from './adjust.transform.js';

const config = {
  appToken: 'a',
  customMappings: [{ from: 'Paid', to: 'tok' }],
  partnerParamsKeys: [{ from: 'plan', to: 'p' }],
};
const device = { type: 'iPadOS', id: 'd', advertisingId: 'ad', attTrackingStatus: 3 };
const send = (properties?: JsonObject, event: JsonObject = {}) => {
  const [payload] = adjustTransform(
    { ...ada, type: 'track', event: 'Paid', context: { device }, ...(properties && { properties }), ...event },
    config,
  );
  return payload?.params;
};

describe('an Adjust event', () => {
  it('has its token, the ids of the device and flat parameters as texts', () => {
    expect(send({ plan: 'pro', deep: { a: [1] }, none: null, revenue: '€9.999', currency: 'EUR' })).toEqual({
      ...{ s2s: 1, app_token: 'a', event_token: 'tok', environment: 'sandbox' },
      ...{ idfa: 'ad', idfv: 'd', att_status: 3, revenue: 10, currency: 'EUR' },
      callback_params: '{"plan":"pro","deep.a[0]":"1","none":"null"}',
      partner_params: { p: 'pro' },
    });
  });

  it('of Android has other ids, and no parameters without properties', () => {
    const context = { device: { ...device, type: 'Android' } };
    expect(send(undefined, { context })).toMatchObject({ gps_adid: 'ad', android_id: 'd' });
    expect(send(undefined, { context })).not.toHaveProperty('callback_params');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{}, { event: 'Other' }, 'no event token for Other'],
    [{ revenue: '5x' }, {}, 'properties.revenue must be a number'],
    [{}, { context: {} }, 'context.device.type'],
    [{}, { type: 'page' }, 'Event type page is not supported'],
  ])('is refused: %j %j', (properties, event, message) => {
    expect(() => send(properties, event)).toThrow(message);
  });
});
