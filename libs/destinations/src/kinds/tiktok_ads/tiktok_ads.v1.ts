import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import {
  CONTENT,
  EVENT_ID,
  externalIds,
  givenContents,
  hashedIfPlain,
  productContents,
  withoutSpaceAround,
} from './tiktok_ads.events.js';

/** Events API 1.0, for older configurations: https://business-api.tiktok.com/portal/docs?id=1739657891856385 */
const TRACK = 'https://business-api.tiktok.com/open_api/v1.3/pixel/track/';

const EVENT: kit.Mapping = {
  event_id: EVENT_ID,
  timestamp: 'timestamp',
  test_event_code: 'properties.testEventCode',
  'properties.content_category': 'properties.category',
  'properties.content_name': 'properties.name',
  'properties.content_id': { from: kit.property('product_id', 'productId'), as: kit.toText },
  'properties.shop_id': { from: kit.property('shop_id', 'shopId'), as: kit.toText },
  'properties.order_id': { from: kit.ORDER_ID, as: kit.toText },
  'properties.content_type': kit.property('contentType', 'content_type'),
  'properties.status': 'properties.status',
  'properties.currency': kit.CURRENCY,
  'properties.value': 'properties.value',
  'properties.description': 'properties.description',
  'properties.query': 'properties.query',
  'context.page': ['properties.context.page', 'context.page'],
  'context.ip': kit.IP,
  'context.user_agent': 'context.userAgent',
};

export function requestV1(
  event: JsonObject,
  config: JsonObject,
  name: string,
  headers: Record<string, string>,
): Payload {
  const { properties, context, ...fields } = kit.mapFields(event, EVENT);
  const mapped = kit.objectAt({ properties }, 'properties');
  const contents = contentsOf(event, !kit.isEmpty(mapped));
  const body = {
    pixel_code: kit.requiredText(config, 'pixelCode'),
    event: name,
    ...fields,
    ...kit.withoutEmpty({
      properties: { ...mapped, ...kit.compact({ contents }) },
      context: {
        ...kit.objectAt({ context }, 'context'),
        ...kit.withoutEmpty({ ad: adOf(event), user: userOf(event, config) }),
      },
    }),
    partner_name: kit.SENDER.name,
  };
  return kit.jsonRequest(TRACK, body, { headers });
}

/** The ad as a whole. A click names the callback. */
const adOf = (event: JsonObject): JsonObject => ({
  ...[kit.firstAt(event, ['properties.context.ad', 'context.ad'])].filter(isJsonObject)[0],
  ...kit.mapFields(event, { callback: 'properties.clickId' }),
});

/** The user as a whole. What it lacks is read from the traits: those of the event, even if empty, or those of its context. */
function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const user = kit.objectAt(event, 'properties.context.user');
  const traits = kit.objectAt(event, isJsonObject(event['traits']) ? 'traits' : 'context.traits');
  const trimmed = hashedIfPlain(config, withoutSpaceAround);
  return {
    ...kit.withoutEmpty(kit.omit(user, ['email', 'phone_number'])),
    ...kit.mapFields(
      { user, traits, external: externalIds(event) },
      {
        external_id: { from: 'external', as: trimmed },
        email: { from: ['user.email', 'traits.email'], as: hashedIfPlain(config, kit.normalizedWord) },
        phone_number: { from: ['user.phone_number', 'traits.phone'], as: trimmed },
      },
    ),
  };
}

/** Products alone make no properties. */
function contentsOf(event: JsonObject, hasProperties: boolean): JsonObject[] | undefined {
  const properties = kit.objectAt(event, 'properties');
  const given = givenContents(properties);
  if (given) {
    const byDefault = properties['contentType'] || 'product_group';
    return given.map((content) => ({ ...content, content_type: content['content_type'] || byDefault }));
  }
  const type = kit.firstAt(properties, ['contentType', 'content_type']) ?? 'product';
  return hasProperties
    ? productContents(event, (product) => ({
        content_type: product['contentType'] ?? type,
        ...kit.mapFields(product, CONTENT),
      }))
    : undefined;
}
