import { choice, flag, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

export const tiktokAdsDefinition = vendorDefinition({
  name: 'TIKTOK_ADS',
  displayName: 'TikTok Ads',
  messageTypes: ['track'],
  transformAtV1: 'router',
  config: {
    accessToken: secret('Access token of the Events API'),
    pixelCode: text('Pixel code: events belong to the data source of this pixel'),
    version: choice(['v1', 'v2'], '`v2` is Events API 2.0; `v1`, which TikTok is ending, counts when nothing is given'),
    hashUserProperties: flag('Personal data of events is plain and is hashed here; off: it is hashed already'),
    sendCustomEvents: flag('Events that are not mapped are sent under their own names'),
    eventsToStandard: listOf(['from', 'to'], 'Event of TikTok in `to` for the event in `from`'),
  },
});
