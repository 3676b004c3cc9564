import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** https://dev.adjust.com/en/api/s2s-api/events */
const ENDPOINT = 'https://s2s.adjust.com/event';

/** A parameter of an address is a text, a number or a flag. */
const single = (from: kit.Source): kit.Rule => ({
  from,
  as: (value) => (typeof value === 'object' ? undefined : value),
});
const COMMON: kit.Mapping = {
  att_status: single('context.device.attTrackingStatus'),
  tracking_enabled: single('context.device.adTrackingEnabled'),
  ip_address: single(kit.IP),
};
const AD_ID = single('context.device.advertisingId');
const DEVICE_ID = single('context.device.id');
const DEVICE: Readonly<Record<'apple' | 'android', kit.Mapping>> = {
  apple: { idfa: AD_ID, idfv: DEVICE_ID },
  android: { gps_adid: AD_ID, android_id: DEVICE_ID },
};

const SINGLE = { type: ['string', 'number', 'boolean'], minLength: 1 };
/** The parameters, because the request has no body. */
const EVENT = kit.objectWith(['s2s', 'app_token', 'event_token', 'environment'], {
  ...{ s2s: { const: 1 }, app_token: kit.FILLED_TEXT, event_token: kit.FILLED_TEXT },
  environment: { enum: ['production', 'sandbox'] },
  revenue: { type: 'number' },
  callback_params: kit.FILLED_TEXT,
  partner_params: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
  ...kit.objectOf(Object.keys({ ...COMMON, ...DEVICE.apple, ...DEVICE.android }).map((key) => [key, SINGLE])),
});

export default defineKind({
  name: 'ADJ',
  displayName: 'Adjust',
  messageTypes: ['track'],
  config: {
    appToken: kit.required(kit.text('App token')),
    environment: kit.flag('On: production. Off: the sandbox'),
    customMappings: kit.listOf(['from', 'to'], 'Event tokens: name of the event in `from`, its token in `to`'),
    partnerParamsKeys: kit.listOf(['from', 'to'], 'Properties that partners get, under the name in `to`'),
  },
  example: { appToken: 'app-1', customMappings: [{ from: 'Order Completed', to: 'token-1' }] },
  requests: { 'POST /event': EVENT },
  transform(event, config) {
    return kit.byType(event, {
      track: () => {
        const name = kit.eventName(event);
        const token = kit.configList(config, 'customMappings').findLast(({ from }) => from === name)?.['to'];
        if (!token) kit.refuse(`customMappings has no event token for ${name}`);
        const family =
          kit.deviceFamily(event, ['context.device.type']) ??
          kit.refuse('context.device.type must be Android or one of Apple');
        if (!kit.textAt(event, 'context.device.id')) kit.refuse('context.device.id is required');
        const params = {
          ...{ s2s: 1, app_token: kit.requiredText(config, 'appToken'), event_token: token },
          environment: kit.isOn(config, 'environment') ? 'production' : 'sandbox',
          ...kit.mapFields(event, { ...COMMON, ...DEVICE[family] }),
          ...revenueOf(event),
          ...parametersOf(event, config),
        };
        const headers = { accept: '*/*' };
        return [
          kit.restPayload({
            method: 'POST',
            endpoint: ENDPOINT,
            headers,
            params,
            userId: kit.textAt(event, 'anonymousId'),
          }),
        ];
      },
    });
  },
});

/** Two decimals, with a currency. The sender may write `$` before the number. */
function revenueOf(event: JsonObject): JsonObject {
  const { revenue, currency } = kit.objectAt(event, 'properties');
  if (revenue === undefined || revenue === null) return {};
  const amount = typeof revenue === 'object' ? Number.NaN : Number(String(revenue).replace(/^\$/, ''));
  const rounded = Math.round(amount * 100) / 100;
  if (!Number.isFinite(rounded)) kit.refuse('properties.revenue must be a number');
  return { revenue: rounded, ...(rounded !== 0 && { currency: kit.isGiven(currency) ? currency : 'USD' }) };
}

/** The properties as texts. Callbacks get all but the revenue, partners only the configured ones. */
function parametersOf(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const own = Object.entries(kit.flatten(kit.omit(properties, ['revenue', 'currency']))).map(
    ([key, value]) => [key, text(value)] as const,
  );
  const partner = kit
    .configPairs(config, 'partnerParamsKeys')
    .map(([from, to]) => [to, kit.lookedUp(properties, from.toLowerCase())] as const)
    .filter(([, value]) => Boolean(value))
    .map(([to, value]) => [to, text(value)] as const);
  return kit.withoutEmpty({
    callback_params: own.length > 0 ? JSON.stringify(kit.objectOf(own)) : undefined,
    partner_params: kit.objectOf(partner),
  });
}

/** Lists are joined by commas. An object becomes JSON, because its plain text says nothing. */
function text(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => (kit.isGiven(item) ? text(item) : '')).join();
  return isJsonObject(value) ? JSON.stringify(value) : String(value);
}
