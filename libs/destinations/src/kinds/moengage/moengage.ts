import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://help.moengage.com/hc/en-us/articles/360057030512-Data-Centers-in-MoEngage */
const DATA_CENTERS: Readonly<Record<string, string>> = {
  ...{ US: '01', EU: '02', IND: '03' },
  ...{ 'US-DC-04': '04', 'SGP-DC-05': '05', 'IDN-DC-06': '06', 'DC-101': '101' },
};

/** Standard attributes of a customer: https://developers.moengage.com/hc/en-us/articles/4413167462804-Track-User */
const CUSTOMER: kit.Mapping = {
  name: { from: kit.FULL_NAME, as: kit.toText },
  first_name: { from: kit.trait('firstname', 'first_name', 'firstName'), as: kit.toText },
  last_name: { from: kit.trait('lastname', 'last_name', 'lastName'), as: kit.toText },
  email: { from: kit.TRAIT_EMAIL, as: kit.toText },
  age: { from: kit.trait('age'), as: kit.toNumber },
  gender: { from: kit.GENDER, as: kit.toText },
  mobile: { from: kit.trait('mobile'), as: kit.toText },
  source: { from: kit.trait('source'), as: kit.toText },
  created_time: kit.CREATED_AT,
  last_seen: [...kit.trait('last_seen'), ...kit.trait('lastSeen')],
  transactions: { from: kit.trait('transactions'), as: kit.toNumber },
  revenue: { from: kit.trait('revenue'), as: kit.toNumber },
  moe_unsubscribe: [...kit.trait('moe_unsubscribe'), ...kit.trait('moeUnsubscribe')],
};
/** Traits that are not sent under their own names as well. */
const READ_TRAITS = [
  ...['_id', 'id', 'age', 'email', 'gender', 'mobile', 'revenue', 'source', 'transactions', 'last_seen', 'lastSeen'],
  ...['firstName', 'first_name', 'firstname', 'lastName', 'last_name', 'lastname', 'moeUnsubscribe', 'moe_unsubscribe'],
];

const ofApple = (type: unknown) => (kit.isApple(type) ? 'iOS' : type);
const PLATFORM: kit.Mapping = { platform: { from: ['context.device.type', 'channel'], as: ofApple } };
const DEVICE: kit.Mapping = {
  ...PLATFORM,
  push_id: 'context.device.token',
  model: 'context.device.model',
  push_preference: kit.property('push_preference', 'pushPreference'),
  app_version: 'context.app.version',
  os_version: 'context.os.version',
  active: 'properties.active',
};
const READ_PROPERTIES = ['active', 'push_preference', 'pushPreference', 'id', '_id'];
const ACTION: kit.Mapping = {
  ...PLATFORM,
  app_version: 'context.app.version',
  current_time: kit.TIMESTAMP,
};
const DEVICE_ID: kit.Mapping = { device_id: { from: 'context.device.id', as: kit.toText } };

/** Every record names its customer: https://developers.moengage.com/hc/en-us/articles/4404674776724-Data-API */
const recordOf = (type: string, content: string, schema: JsonObject) => ({
  type: 'object',
  required: ['type', 'customer_id', content],
  properties: {
    type: { const: type },
    customer_id: kit.FILLED_TEXT,
    device_id: kit.FILLED_TEXT,
    [content]: schema,
  },
});
const ACTIONS = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['action'], properties: { action: kit.FILLED_TEXT } },
};
const MERGE = {
  type: 'object',
  required: ['merge_data'],
  properties: {
    merge_data: { type: 'array', items: { type: 'object', required: ['retained_user', 'merged_user'] } },
  },
};

type Shape = (values: JsonObject) => JsonObject;

export default defineKind({
  name: 'MOENGAGE',
  displayName: 'MoEngage',
  messageTypes: ['identify', 'track', 'alias'],
  transformAtV1: 'router',
  config: {
    apiId: kit.required(kit.text('Workspace id')),
    apiKey: kit.required(kit.secret('API key')),
    region: kit.asAddress(kit.text(`Data center: ${Object.keys(DATA_CENTERS).join(', ')}`)),
    useObjectData: kit.flag('Send nested objects as they are'),
  },
  example: { apiId: 'app-1', region: 'US' },
  requests: {
    'POST /v1/customer/merge': MERGE,
    'POST /v1/customer/{id}': recordOf('customer', 'attributes', { type: 'object' }),
    'POST /v1/device/{id}': recordOf('device', 'attributes', { type: 'object', required: ['platform', 'push_id'] }),
    'POST /v1/event/{id}': recordOf('event', 'actions', ACTIONS),
  },
  transform(event, config) {
    const apiId = kit.requiredText(config, 'apiId');
    const headers = kit.basicAuth(apiId, kit.requiredText(config, 'apiKey'));
    const host = hostOf(config);
    const sender = kit.textAt(event, ['userId', 'anonymousId']);
    const call = (path: string, body: JsonObject): Payload =>
      kit.jsonRequest(`${host}/${path}/${encodeURIComponent(apiId)}`, body, {
        headers: { ...headers, 'moe-appkey': apiId },
        userId: sender,
      });
    const shaped: Shape = (values) => (kit.isOn(config, 'useObjectData') ? values : kit.flatten(values));
    const customer = () => ({
      customer_id: kit.textAt(event, kit.USER_ID) ?? kit.refuse('userId or anonymousId is required'),
    });
    return kit.byType(event, {
      identify: () => [
        call('customer', { type: 'customer', ...customer(), attributes: customerAttributes(event, shaped) }),
        ...(isPushable(event) ? [call('device', { type: 'device', ...customer(), ...deviceOf(event, shaped) })] : []),
      ],
      track: () => [
        call('event', {
          ...{ type: 'event', ...customer(), ...kit.mapFields(event, DEVICE_ID) },
          actions: [actionOf(event, shaped)],
        }),
      ],
      alias: () => {
        const [retained_user, merged_user] = [kit.textAt(event, 'userId'), kit.textAt(event, 'previousId')];
        if (!retained_user || !merged_user) kit.refuse('userId and previousId are required');
        const endpoint = `${host}/customer/merge?app_id=${encodeURIComponent(apiId)}`;
        const body = { merge_data: [{ merged_user, retained_user }] };
        return [kit.jsonRequest(endpoint, body, { headers, userId: sender })];
      },
    });
  },
});

function hostOf(config: JsonObject): string {
  const number = kit.lookedUp(DATA_CENTERS, kit.configText(config, 'region'));
  if (!number) kit.refuse(`region must be one of ${Object.keys(DATA_CENTERS).join(', ')}`);
  return `https://api-${number}.moengage.com/v1`;
}

/** Custom traits come from one object, and win over the standard attributes. */
function customerAttributes(event: JsonObject, shaped: Shape): JsonObject {
  const traits = kit.objectAt(event, event['traits'] ? 'traits' : 'context.traits');
  return kit.merged(kit.mapFields(event, CUSTOMER), shaped(kit.omit(traits, READ_TRAITS)));
}

/** A device record is useful only with a push token. */
const isPushable = (event: JsonObject): boolean =>
  kit.isGiven(kit.valueAt(event, 'context.device.type')) && kit.isGiven(kit.valueAt(event, 'context.device.token'));

function deviceOf(event: JsonObject, shaped: Shape): JsonObject {
  const others = shaped(kit.omit(kit.objectAt(event, 'properties'), READ_PROPERTIES));
  return {
    ...kit.mapFields(event, DEVICE_ID),
    attributes: kit.merged(kit.mapFields(event, DEVICE), others),
  };
}

function actionOf(event: JsonObject, shaped: Shape): JsonObject {
  const properties = event['properties'];
  return {
    action: kit.eventName(event),
    ...(isJsonObject(properties) && { attributes: shaped(properties) }),
    ...kit.mapFields(event, ACTION),
    ...kit.compact({
      user_timezone_offset: kit.zoneOffsetSeconds(kit.valueAt(event, 'context.timezone'), Date.now()),
    }),
  };
}
