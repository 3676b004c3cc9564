import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { CHARGED, PROFILE, READ_TRAITS, TOKEN_TYPES } from './clevertap.fields.js';

/** Events and profiles: https://developer.clevertap.com/docs/upload-events-api */
export function clevertapTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (...records: JsonObject[]) => records.map((record) => request(config, record));
  const happened = (evtName: string, evtData: JsonObject) => {
    const ts = kit.toUnixSeconds(evtData['ts']);
    return send({
      evtName,
      evtData: kit.omit(evtData, ['ts']),
      type: 'event',
      ...kit.compact({ ts }),
      ...identity(event, config),
    });
  };
  const viewed = (what: string) => {
    const name = kit.textAt(event, ['name', 'properties.name', 'event']);
    return happened(name ? `${what}: ${name}` : what, kit.objectAt(event, 'properties'));
  };
  return kit.byType(event, {
    identify: () => send(...identify(event, config)),
    track: () => {
      const name = kit.eventName(event);
      const properties = kit.objectAt(event, 'properties');
      return name.trim().toLowerCase() === 'order completed'
        ? happened('Charged', charged(properties))
        : happened(name, properties);
    },
    page: () => viewed('Web Page Viewed'),
    screen: () => viewed('Screen Viewed'),
    alias: () => {
      const [kept, previous] = [kit.textAt(event, 'userId'), kit.textAt(event, 'previousId')];
      if (!kept || !previous) kit.refuse('userId and previousId are required');
      return send({ type: 'profile', profileData: { identity: kept }, ...time(event), identity: previous });
    },
  });
}

function request(config: JsonObject, record: JsonObject): Payload {
  const region = kit.configText(config, 'region');
  const host =
    region === '' || region === 'none' ? 'api.clevertap.com' : `${encodeURIComponent(region)}.api.clevertap.com`;
  const headers = {
    'x-clevertap-account-id': kit.requiredText(config, 'accountId'),
    'x-clevertap-passcode': kit.requiredText(config, 'passcode'),
  };
  return kit.jsonRequest(`https://${host}/1/upload`, { d: [record] }, { headers });
}

const time = (event: JsonObject) => kit.compact({ ts: kit.toUnixSeconds(kit.firstAt(event, kit.trait('ts'))) });

/** The object id if that is enabled and present, otherwise the identity. */
function identity(event: JsonObject, config: JsonObject): JsonObject {
  const [userId, anonymousId] = [kit.textAt(event, kit.KNOWN_USER_ID), kit.textAt(event, 'anonymousId')];
  if (!userId && !anonymousId) kit.refuse('the event needs a userId or an anonymousId');
  if (!userId && !kit.isOn(config, 'trackAnonymous')) kit.refuse('the event has no userId, and trackAnonymous is off');
  if (kit.isOn(config, 'enableObjectIdMapping') && anonymousId) return { objectId: anonymousId };
  return { identity: userId ?? anonymousId };
}

function identify(event: JsonObject, config: JsonObject): JsonObject[] {
  const who = identity(event, config);
  const userId = kit.textAt(event, kit.KNOWN_USER_ID);
  const profileData = {
    ...profileOf(kit.traitsOf(event)),
    ...('objectId' in who && kit.compact({ identity: userId })),
  };
  const tokenData = tokenOf(event);
  return [
    { type: 'profile', profileData, ...time(event), ...who },
    ...(tokenData ? [{ type: 'token', tokenData, ...who }] : []),
  ];
}

/** CleverTap stores only texts, numbers and booleans, so lists and objects become JSON. */
function profileOf(traits: JsonObject): JsonObject {
  const { overrideFields, 'category-unsubscribe': unsubscribed } = traits;
  const name = kit.fullName(traits);
  const own = kit.omit(traits, [...READ_TRAITS, 'overrideFields', 'category-unsubscribe']);
  const custom = Object.entries(kit.compact(own)).map(
    ([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value] as const,
  );
  return kit.merged(
    kit.mapFields(traits, PROFILE),
    kit.compact({ Name: name, 'category-unsubscribe': unsubscribed }),
    kit.objectOf(custom),
    isJsonObject(overrideFields) ? overrideFields : {},
  );
}

/** The push token of the device. `integrations.clevertap` may set its type. */
function tokenOf(event: JsonObject): JsonObject | undefined {
  const id = kit.textAt(event, 'context.device.token');
  const { deviceTokenType, chromeKeys } = kit.integrationOptions(event, 'clevertap');
  const family = kit.deviceFamily(event);
  const own = TOKEN_TYPES.includes(String(deviceTokenType)) ? String(deviceTokenType) : undefined;
  const type = own ?? (family === 'apple' ? 'apns' : family === 'android' ? 'fcm' : undefined);
  if (!id || !type) return undefined;
  return { id, type, ...(type === 'chrome' && isJsonObject(chromeKeys) && { keys: chromeKeys }) };
}

function charged(properties: JsonObject): JsonObject {
  return kit.merged(kit.omit(properties, ['checkout_id', 'revenue', 'products']), kit.mapFields(properties, CHARGED));
}
