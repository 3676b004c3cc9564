import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { commerceOf, conversionType } from './snapchat_conversion.events.js';

const COMMON: kit.Mapping = {
  hashed_email: { from: kit.EMAIL, as: kit.hashedWord },
  hashed_phone_number: { from: kit.PHONE, as: kit.hashedPhone },
  hashed_mobile_ad_id: { from: 'context.device.advertisingId', as: kit.hashed },
  hashed_idfv: { from: 'context.device.id', as: kit.hashed },
  hashed_ip_address: { from: kit.IP, as: kit.hashed },
  user_agent: { from: 'context.userAgent', as: kit.toLowerCase },
  device_model: 'context.device.model',
  timestamp: { from: kit.TIMESTAMP, as: [kit.toUnixSeconds, kit.toText] },
  page_url: ['properties.url', 'context.page.url'],
  event_tag: 'properties.event_tag',
  description: 'properties.description',
  brands: 'properties.brands',
  click_id: 'properties.click_id',
  uuid_c1: 'properties.uuid_c1',
  delivery_method: 'properties.delivery_method',
};

/** An event of version 2, without the pixel or app. */
export function version2Body(event: JsonObject, config: JsonObject, name: string): JsonObject {
  const { ids, price, category, currency, count, search, transaction } = commerceOf(event, name);
  return {
    ...kit.mapFields(event, COMMON),
    ...kit.compact({
      ...{ item_ids: ids, price, item_category: category, currency, number_items: count },
      ...{ search_string: search, transaction_id: transaction, client_dedup_id: dedupId(event, config) },
    }),
    event_type: name,
    event_conversion_type: conversionType(event),
  };
}

export function dedupId(event: JsonObject, config: JsonObject): string | undefined {
  if (!kit.isOn(config, 'enableDeduplication')) return undefined;
  return kit.textAt(event, kit.configText(config, 'deduplicationKey') || 'messageId');
}
