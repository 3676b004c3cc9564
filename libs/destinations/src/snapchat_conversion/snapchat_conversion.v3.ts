import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { commerceOf, conversionType } from './snapchat_conversion.events.js';
import { dedupId } from './snapchat_conversion.v2.js';

const USER: kit.Mapping = {
  em: { from: kit.EMAIL, as: kit.hashedWord },
  ph: { from: kit.PHONE, as: kit.hashedPhone },
  fn: { from: kit.FIRST_NAME, as: kit.hashedWord },
  ln: { from: kit.LAST_NAME, as: kit.hashedWord },
  ge: { from: kit.trait('gender'), as: kit.hashedWord },
  ct: { from: kit.trait('address.city'), as: kit.hashedWord },
  st: { from: kit.trait('state', 'address.state'), as: kit.hashedWord },
  zp: { from: kit.trait('zipcode', 'zip', 'address.zip', 'address.postalCode'), as: kit.hashedWord },
  country: { from: kit.trait('country', 'address.country'), as: kit.hashedWord },
  madid: 'context.device.advertisingId',
  idfv: 'context.device.id',
  client_ip_address: kit.IP,
  client_user_agent: 'context.userAgent',
  sc_click_id: ['properties.click_id', 'properties.sc_click_id'],
  sc_cookie1: 'properties.uuid_c1',
};
const EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: [kit.toUnixSeconds, kit.toText] },
  event_source_url: ['properties.url', 'context.page.url'],
};
const CONTENT: kit.Mapping = { id: ['product_id', 'sku'], item_price: 'price', quantity: 'quantity', brand: 'brand' };
/** A list item needs at least one of these keys. */
const isContent = (content: JsonObject) => content['id'] !== undefined || content['item_price'] !== undefined;
/** Events that send their price as `price` and not as `value`, because nothing is bought. */
const ADVERTISING = ['AD_CLICK', 'AD_VIEW'];

/** An event of version 3. */
export function version3Event(
  event: JsonObject,
  config: JsonObject,
  name: string,
  appId: string | undefined,
): JsonObject {
  const { ids, price, category, currency, count, search, transaction, products } = commerceOf(event, name);
  const contents = kit.mapProducts(products, CONTENT).filter(isContent);
  const custom = kit.compact({
    ...{ content_ids: ids, content_category: category, currency, num_items: count, search_string: search },
    [ADVERTISING.includes(name) ? 'price' : 'value']: price,
    ...(contents.length > 0 && { contents }),
  });
  return {
    event_name: name,
    action_source: conversionType(event),
    ...kit.mapFields(event, EVENT),
    ...kit.compact({ event_id: dedupId(event, config) ?? transaction }),
    user_data: kit.mapFields(event, USER),
    ...(!kit.isEmpty(custom) && { custom_data: custom }),
    ...(appId !== undefined && { app_data: appData(event, appId) }),
  };
}

/** The sixteen values of `extinfo` in order. Unknown values are empty texts. */
function appData(event: JsonObject, appId: string): JsonObject {
  const at = kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP)) ?? Date.now();
  const zone = kit.textAt(event, 'context.timezone');
  const text = (path: string) => kit.textAt(event, path) ?? '';
  const extinfo = [
    kit.deviceFamily(event) === 'android' ? 'a2' : 'i2',
    ...['context.app.namespace', 'context.app.build', 'context.app.version', 'context.os.version'].map(text),
    ...['context.device.model', 'context.locale'].map(text),
    kit.zoneAbbreviation(zone, at) ?? '',
    ...['context.network.carrier', 'context.screen.width', 'context.screen.height', 'context.screen.density'].map(text),
    ...['properties.cpu_cores', 'properties.storage', 'properties.free_storage', 'context.timezone'].map(text),
  ];
  const advertiser_tracking_enabled = kit.valueAt(event, 'properties.att_status');
  return { app_id: appId, extinfo, ...kit.compact({ advertiser_tracking_enabled }) };
}
