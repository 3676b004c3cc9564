import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { CONTENT } from './tiktok_ads.fields.js';
import { contentsOf, externalIds, hashedIfPlain } from './tiktok_ads.user.js';

/** Events API 1.0, for older configurations: https://business-api.tiktok.com/portal/docs?id=1739657891856385 */
const TRACK = 'https://business-api.tiktok.com/open_api/v1.3/pixel/track/';

const user = (key: string, others: readonly string[]) => [`properties.context.user.${key}`, ...others];
const page = (key: string) => [`properties.context.page.${key}`, `context.page.${key}`];

const EVENT: kit.Mapping = {
  event_id: [...kit.property('eventId', 'event_id'), 'messageId'],
  timestamp: 'timestamp',
  test_event_code: kit.property('testEventCode'),
};
const CONTEXT: kit.Mapping = {
  'ad.callback': kit.property('clickId', 'context.ad.callback'),
  'page.url': page('url'),
  'page.referrer': page('referrer'),
  ip: kit.IP,
  user_agent: 'context.userAgent',
};
const USER: kit.Mapping = { phone_number: user('phone_number', kit.PHONE), email: user('email', kit.EMAIL) };
const PROPERTIES: kit.Mapping = {
  content_category: 'category',
  content_name: 'name',
  content_id: { from: ['productId', 'product_id'], as: kit.toText },
  content_type: ['contentType', 'content_type'],
  status: 'status',
  description: 'description',
  query: 'query',
  currency: 'currency',
  value: { from: 'value', as: kit.toNumber },
};

export function requestV1(
  event: JsonObject,
  config: JsonObject,
  name: string,
  headers: Record<string, string>,
): Payload {
  const person = { ...kit.mapFields(event, USER), ...kit.compact({ external_id: externalIds(event) }) };
  const properties = kit.objectAt(event, 'properties');
  const body = {
    pixel_code: kit.requiredText(config, 'pixelCode'),
    event: name,
    ...kit.mapFields(event, EVENT),
    properties: { ...kit.mapFields(properties, PROPERTIES), ...contents(properties) },
    context: { ...kit.mapFields(event, CONTEXT), ...kit.withoutEmpty({ user: hashedIfPlain(person, config) }) },
    partner_name: kit.SENDER.name,
  };
  return kit.jsonRequest(TRACK, body, { headers });
}

function contents(properties: JsonObject): JsonObject {
  const { contentType } = properties;
  const list = contentsOf(properties, (product) => ({
    content_type: product['contentType'] ?? contentType,
    ...kit.mapFields(product, CONTENT),
  }));
  return kit.compact({ contents: list?.map(kit.compact) });
}
