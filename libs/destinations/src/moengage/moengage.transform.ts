import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://developers.moengage.com/hc/en-us/articles/4404674776724 */
const DATA_CENTERS: Readonly<Record<string, string>> = { US: '01', EU: '02', IND: '03' };

/** MoEngage's names for traits. The traits are also sent under their own names. */
const ATTRIBUTES: kit.Mapping = {
  created_time: 'createdAt',
  first_name: ['firstName', 'firstname'],
  last_name: ['lastName', 'lastname'],
  mobile: 'phone',
};
const DEVICE: kit.Mapping = {
  model: 'context.device.model',
  push_id: 'context.device.token',
  app_version: 'context.app.version',
};

export function moengageTransform(event: JsonObject, config: JsonObject): Payload[] {
  const apiId = kit.requiredText(config, 'apiId');
  const headers = kit.basicAuth(apiId, kit.requiredText(config, 'apiKey'));
  const host = hostOf(config);
  const userId = kit.textAt(event, kit.USER_ID);
  const call = (path: string, body: JsonObject): Payload =>
    kit.jsonRequest(`${host}/${path}/${encodeURIComponent(apiId)}`, body, {
      headers: { ...headers, 'moe-appkey': apiId },
      userId,
    });
  const shaped = (values: JsonObject) => (kit.isOn(config, 'useObjectData') ? values : kit.flatten(values));
  return kit.byType(event, {
    identify: () => {
      const customer_id = userId ?? kit.refuse('userId or anonymousId is required');
      const traits = kit.traitsOf(event);
      const attributes = kit.merged(shaped(traits), kit.mapFields(traits, ATTRIBUTES));
      const device = deviceOf(event, shaped);
      return [
        call('customer', { type: 'customer', customer_id, attributes }),
        ...(device ? [call('device', { type: 'device', customer_id, ...device })] : []),
      ];
    },
    track: () => [call('event', eventOf(event, userId ?? kit.refuse('userId or anonymousId is required'), shaped))],
    alias: () => {
      const [retained_user, merged_user] = [kit.textAt(event, 'userId'), kit.textAt(event, 'previousId')];
      if (!retained_user || !merged_user) kit.refuse('userId and previousId are required');
      const endpoint = `${host}/customer/merge?app_id=${encodeURIComponent(apiId)}`;
      return [kit.jsonRequest(endpoint, { merge_data: [{ merged_user, retained_user }] }, { headers, userId })];
    },
  });
}

function hostOf(config: JsonObject): string {
  const region = kit.configText(config, 'region') || 'US';
  const number =
    kit.lookedUp(DATA_CENTERS, region) ??
    (/^\d{2}$/.test(region) ? region : kit.refuse('region must be US, EU, IND or a number such as 04'));
  return `https://api-${number}.moengage.com/v1`;
}

const platformOf = (event: JsonObject): unknown =>
  kit.deviceFamily(event) === 'apple' ? 'iOS' : kit.textAt(event, ['context.device.type', 'channel']);

/** A device record is useful only with a push token. */
function deviceOf(event: JsonObject, shaped: (values: JsonObject) => JsonObject): JsonObject | undefined {
  const device_id = kit.textAt(event, 'context.device.id');
  if (!device_id || !kit.textAt(event, 'context.device.token')) return undefined;
  const properties = shaped(kit.objectAt(event, 'properties'));
  const platform = { platform: platformOf(event) };
  return { device_id, attributes: kit.merged(properties, platform, kit.mapFields(event, DEVICE)) };
}

function eventOf(event: JsonObject, customer_id: string, shaped: (values: JsonObject) => JsonObject): JsonObject {
  const current_time = kit.firstAt(event, kit.TIMESTAMP);
  const at = kit.toUnixMillis(current_time) ?? Date.now();
  const action = {
    action: kit.eventName(event),
    attributes: shaped(kit.objectAt(event, 'properties')),
    ...kit.compact({
      platform: platformOf(event),
      app_version: kit.textAt(event, 'context.app.version'),
      current_time,
      user_timezone_offset: kit.zoneOffsetSeconds(kit.valueAt(event, 'context.timezone'), at),
    }),
  };
  return {
    type: 'event',
    customer_id,
    ...kit.compact({ device_id: kit.textAt(event, 'context.device.id') }),
    actions: [action],
  };
}
