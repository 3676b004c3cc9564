import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { tiktokEvents } from './tiktok_ads.events.js';
import { CONTENT, EVENT, PROPERTIES, USER } from './tiktok_ads.fields.js';
import { contentsOf, externalIds, hashedIfPlain } from './tiktok_ads.user.js';
import { requestV1 } from './tiktok_ads.v1.js';

/** Events API 2.0, https://business-api.tiktok.com/portal/docs?id=1771101276978178 */
const TRACK = 'https://business-api.tiktok.com/open_api/v1.3/event/track/';
/** Catalog events. They state whether they mean products or product groups. */
const OF_CATALOGS = new Set(['AddToCart', 'CompletePayment', 'Purchase', 'ViewContent']);

export function tiktokAdsTransform(event: JsonObject, config: JsonObject): Payload[] {
  return kit.byType(event, {
    track: () => {
      const headers = { 'access-token': kit.requiredText(config, 'accessToken') };
      const event_source_id = kit.requiredText(config, 'pixelCode');
      const names = tiktokEvents(event, config);
      if (config['version'] !== 'v2') return names.map((name) => requestV1(event, config, name, headers));
      const test_event_code = kit.textAt(event, 'properties.testEventCode');
      const body = {
        event_source: 'web',
        event_source_id,
        ...kit.compact({ test_event_code }),
        partner_name: kit.SENDER.name,
        data: names.map((name) => eventOf(event, config, name)),
      };
      return [kit.jsonRequest(TRACK, body, { headers })];
    },
  });
}

function eventOf(event: JsonObject, config: JsonObject, name: string): JsonObject {
  const user = { ...kit.mapFields(event, USER), ...kit.compact({ external_id: externalIds(event) }) };
  return {
    event: name,
    ...kit.mapFields(event, EVENT),
    ...kit.withoutEmpty({ properties: propertiesOf(event, name) }),
    user: hashedIfPlain(user, config),
  };
}

function propertiesOf(event: JsonObject, name: string): JsonObject {
  const contents = contentsOf(kit.objectAt(event, 'properties'), (product) => kit.mapFields(product, CONTENT));
  const content_type = OF_CATALOGS.has(name) && contents ? 'product' : undefined;
  return {
    ...kit.compact({ content_type }),
    ...kit.mapFields(event, PROPERTIES),
    ...(contents && {
      contents,
      contents_ids: contents.map(({ content_id }) => content_id).filter(kit.isGiven),
      num_items: contents.length,
    }),
  };
}
