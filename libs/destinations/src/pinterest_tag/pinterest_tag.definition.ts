import { choice, decidesHost, flag, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

export const pinterestTagDefinition = vendorDefinition({
  name: 'PINTEREST_TAG',
  displayName: 'Pinterest Tag',
  messageTypes: ['page', 'screen', 'track'],
  transformAtV1: 'router',
  config: {
    tagId: text('Tag ID, for the web SDK'),
    appId: text('App ID'),
    advertiserId: text('Advertiser ID, for the legacy API'),
    apiVersion: decidesHost(choice(['newApi', 'legacyApi'], '`newApi` is version 5 of the API for conversions')),
    adAccountId: secret('Ad account ID, for version 5'),
    sendAsTestEvent: flag('Events are tests, which Pinterest only checks'),
    conversionToken: secret('Conversion access token, for version 5'),
    sendingUnHashedData: flag('Personal data of events is plain and is hashed here; otherwise it is sent as it comes'),
    deduplicationKey: text('Path of the event id; the message id unless given'),
    sendExternalId: flag('Send the hashed user id as external_id'),
    customProperties: listOf(['properties'], 'Properties of custom events, for the web SDK'),
    sendAsCustomEvent: flag('Send events that are not mapped as custom events'),
    eventsMapping: listOf(['from', 'to'], 'Event of Pinterest in `to` for the event in `from`'),
    enhancedMatch: flag('Enhanced match, for the web SDK'),
    blacklistedEvents: listOf(['eventName'], 'Events that are not sent'),
    whitelistedEvents: listOf(['eventName'], 'Events that are sent'),
    eventFilteringOption: choice(['disable', 'whitelistedEvents', 'blacklistedEvents'], 'Which of both lists counts'),
  },
});
