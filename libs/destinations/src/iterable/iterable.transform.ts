import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { EVENT, ITEM, PERSON, PURCHASE } from './iterable.fields.js';

const PLATFORMS = { apple: 'APNS', android: 'GCM' };

/** https://api.iterable.com/api/docs */
export function iterableTransform(event: JsonObject, config: JsonObject): Payload[] {
  const origin =
    kit.configText(config, 'dataCenter') === 'EUDC' ? 'https://api.eu.iterable.com' : 'https://api.iterable.com';
  const call = (path: string, body: JsonObject, key = kit.requiredText(config, 'apiKey')): Payload =>
    kit.jsonRequest(`${origin}/api/${path}`, body, { headers: { api_key: key } });
  const viewed = (what: 'page' | 'screen') => call('events/track', viewOf(event, config, what));
  return kit.byType(event, {
    identify: () => [call('users/update', userOf(event, config)), ...registration(event, config, call)],
    track: () => [trackCall(event, config, call)],
    page: () => [viewed('page')],
    screen: () => [viewed('screen')],
    alias: () => [
      call('users/updateEmail', {
        currentEmail: kit.textAt(event, 'previousId') ?? kit.refuse('previousId is required'),
        newEmail: kit.textAt(event, 'userId') ?? kit.refuse('userId is required'),
      }),
    ],
  });
}

type Call = (path: string, body: JsonObject, key?: string) => Payload;

function personOf(event: JsonObject): JsonObject {
  const person = kit.mapFields(event, PERSON);
  return kit.isEmpty(person) ? kit.refuse('userId or email is required') : person;
}

const userOf = (event: JsonObject, config: JsonObject): JsonObject => ({
  ...personOf(event),
  dataFields: kit.traitsOf(event),
  preferUserId: config['preferUserId'] !== false,
  mergeNestedObjects: config['mergeNestedObjects'] !== false,
});

function trackCall(event: JsonObject, config: JsonObject, call: Call): Payload {
  const name = kit.textAt(event, 'event') ?? '';
  const dataFields = kit.objectAt(event, 'properties');
  const cart = () => ({ user: userOf(event, config), items: kit.mapProducts(itemsOf(event), ITEM) });
  switch (kit.commerceKey(name)) {
    case 'product added':
      return call('commerce/updateCart', cart());
    case 'order completed':
      return call('commerce/trackPurchase', { ...purchaseOf(event), dataFields, ...cart() });
    default:
      return call('events/track', { ...eventOf(event), ...(name !== '' && { eventName: name }), dataFields });
  }
}

/** Iterable requires a total for each purchase. */
const purchaseOf = (event: JsonObject): JsonObject => ({
  total: kit.revenueOf(event) ?? kit.totalOf(itemsOf(event)),
  ...kit.mapFields(event, PURCHASE),
});

const eventOf = (event: JsonObject): JsonObject => ({ ...personOf(event), ...kit.mapFields(event, EVENT) });

/** The list of products, or the properties themselves as the only product. */
function itemsOf(event: JsonObject): JsonObject[] {
  const list = kit.productList(event);
  return list.length > 0 ? list : [kit.objectAt(event, 'properties')];
}

function viewOf(event: JsonObject, config: JsonObject, what: 'page' | 'screen'): JsonObject {
  const name = kit.textAt(event, ['name', 'properties.name']);
  const category = kit.textAt(event, ['properties.category', 'category']);
  const isWanted =
    ['mapToSingleEvent', 'trackAllPages'].some((key) => kit.isOn(config, key)) ||
    (kit.isOn(config, 'trackNamedPages') && name !== undefined) ||
    (kit.isOn(config, 'trackCategorisedPages') && category !== undefined);
  if (!isWanted) kit.refuse(`the configuration does not want this ${what}`);
  const isSingle = kit.isOn(config, 'mapToSingleEvent') || (name ?? category) === undefined;
  const kindOfView = what === 'page' ? 'Page' : 'Screen';
  const eventName = isSingle ? `Loaded a ${kindOfView}` : `${name ?? category} ${what}`;
  return { ...eventOf(event), eventName, dataFields: kit.objectAt(event, 'properties') };
}

/** Registers tokens of devices and browsers, if the configuration has a key for that. */
function registration(event: JsonObject, config: JsonObject, call: Call): Payload[] {
  const key = kit.configText(config, 'registerDeviceOrBrowserApiKey');
  if (key === '') return [];
  const person = personOf(event);
  const token = kit.textAt(event, 'context.device.token');
  const browserToken = kit.textAt(event, 'context.os.token');
  const device = {
    token,
    platform: PLATFORMS[kit.deviceFamily(event) ?? 'android'],
    applicationName: kit.configText(config, 'packageName'),
    dataFields: kit.objectAt(event, 'context.device'),
  };
  const preferUserId = config['preferUserId'] !== false;
  return [
    ...(token === undefined ? [] : [call('users/registerDeviceToken', { ...person, preferUserId, device }, key)]),
    ...(browserToken === undefined ? [] : [call('users/registerBrowserToken', { ...person, browserToken }, key)]),
  ];
}
