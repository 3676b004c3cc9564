import { defineKind } from '../../define-kind.js';
import { sendPayload } from '../../delivery/send-payload.js';
import type { BatchRule, DestinationKind } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { tiktokEvents } from './tiktok_ads.events.js';
import { tiktokAdsRequests } from './tiktok_ads.requests.js';
import { requestV1 } from './tiktok_ads.v1.js';
import { requestV2 } from './tiktok_ads.v2.js';

// values of `code` in a response: all of a request was taken, or a part of it
const TAKEN = [0, 20_001];
const TOO_MANY_REQUESTS = 40_100;
const OF_THE_SERVER = 50_000;

/** TikTok answers 200 even if it refuses. `code` holds the result. */
export const tiktokAdsDeliver: NonNullable<DestinationKind['deliver']> = async (
  payload,
  _config,
  outbound,
  options,
) => {
  const result = await sendPayload(payload, outbound, options);
  const code = kit.toInteger(kit.valueAt(result.response, 'code'));
  return result.status === 200 && code !== undefined ? { ...result, status: statusOf(code) } : result;
};

function statusOf(code: number): number {
  if (TAKEN.includes(code)) return 200;
  if (code === TOO_MANY_REQUESTS) return 429;
  return code >= OF_THE_SERVER ? 500 : 400;
}

/** Fewer than TikTok allows, as its partners do. Combines events with the same test code, or without one. */
export const tiktokAdsBatch: BatchRule = kit.batchLists(['data'], { itemsMax: 50, bytesMax: 1_000_000 });

/** The Events API cannot delete a user. */
export default defineKind({
  name: 'TIKTOK_ADS',
  displayName: 'TikTok Ads',
  messageTypes: ['track'],
  transformAtV1: 'router',
  config: {
    accessToken: kit.secret('Access token of the Events API'),
    pixelCode: kit.text('Pixel code: events belong to the data source of this pixel'),
    version: kit.words(['v1', 'v2'], '`v2` is Events API 2.0, anything else means 1.0, which TikTok is ending'),
    hashUserProperties: kit.flag('On: Weir hashes the plain personal data of events. Off: it is sent as it comes'),
    sendCustomEvents: kit.flag('Events that are not mapped are sent under their own names'),
    eventsToStandard: kit.listOf(['from', 'to'], 'Event of TikTok in `to` for the event in `from`'),
  },
  example: { pixelCode: 'pixel-1', version: 'v2', hashUserProperties: true, sendCustomEvents: true },
  requests: tiktokAdsRequests,
  transform(event, config) {
    return kit.byType(event, {
      track: () => {
        const headers = { 'access-token': kit.requiredText(config, 'accessToken') };
        const names = tiktokEvents(event, config);
        return config['version'] === 'v2'
          ? [requestV2(event, config, names, headers)]
          : names.map((name) => requestV1(event, config, name, headers));
      },
    });
  },
  batch: tiktokAdsBatch,
  deliver: tiktokAdsDeliver,
});
