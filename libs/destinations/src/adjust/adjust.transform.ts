import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';

/** https://dev.adjust.com/en/api/s2s-api/events */
const ENDPOINT = 'https://s2s.adjust.com/event';

const COMMON: kit.Mapping = {
  att_status: 'context.device.attTrackingStatus',
  tracking_enabled: 'context.device.adTrackingEnabled',
  ip_address: kit.IP,
};
const DEVICE: Readonly<Record<'apple' | 'android', kit.Mapping>> = {
  apple: { idfa: 'context.device.advertisingId', idfv: 'context.device.id' },
  android: { gps_adid: 'context.device.advertisingId', android_id: 'context.device.id' },
};

export function adjustTransform(event: JsonObject, config: JsonObject): Payload[] {
  return kit.byType(event, {
    track: () => {
      const name = kit.eventName(event);
      const token = kit.configPairs(config, 'customMappings').find(([from]) => from === name)?.[1];
      if (!token) kit.refuse(`customMappings has no event token for ${name}`);
      const family = kit.deviceFamily(event) ?? kit.refuse('context.device.type must be Android or one of Apple');
      const params = {
        ...{ s2s: 1, app_token: kit.requiredText(config, 'appToken'), event_token: token },
        environment: kit.isOn(config, 'environment') ? 'production' : 'sandbox',
        ...kit.mapFields(event, { ...COMMON, ...DEVICE[family] }),
        ...revenueOf(event),
        ...parametersOf(event, config),
      };
      const headers = { accept: '*/*' };
      return [
        restPayload({ method: 'POST', endpoint: ENDPOINT, headers, params, userId: kit.textAt(event, 'anonymousId') }),
      ];
    },
  });
}

/** Two decimals. Ignores a currency sign before the number. */
function revenueOf(event: JsonObject): JsonObject {
  const { revenue, currency } = kit.objectAt(event, 'properties');
  if (!kit.isGiven(revenue)) return {};
  const amount = Number(
    String(revenue)
      .replace(/^[^\d.+-]+/, '')
      .trim() || Number.NaN,
  );
  if (!Number.isFinite(amount)) kit.refuse('properties.revenue must be a number');
  return { revenue: Math.round(amount * 100) / 100, currency: currency ?? 'USD' };
}

/** The other properties, flattened to texts. Callbacks get all of them, partners only the configured ones. */
function parametersOf(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const own = Object.entries(kit.flatten(kit.omit(properties, ['revenue', 'currency']))).map(
    ([key, value]) => [key, text(value)] as const,
  );
  const partner = kit
    .configPairs(config, 'partnerParamsKeys')
    .filter(([from]) => kit.isGiven(properties[from]))
    .map(([from, to]) => [to, text(properties[from])] as const);
  return {
    ...(own.length > 0 && { callback_params: JSON.stringify(kit.objectOf(own)) }),
    ...(partner.length > 0 && { partner_params: kit.objectOf(partner) }),
  };
}

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
