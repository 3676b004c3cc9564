import { anything, choice, flag, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

/** https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event */
export const ACTION_SOURCES = [
  'email',
  'website',
  'app',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
];

export const facebookConversionsDefinition = vendorDefinition({
  name: 'FACEBOOK_CONVERSIONS',
  displayName: 'Facebook Conversions',
  messageTypes: ['page', 'screen', 'track'],
  config: {
    blacklistPiiProperties: anything(
      'Personal properties that are not sent, or only hashed: [{ blacklistPiiProperties, blacklistPiiHash }]',
    ),
    datasetId: text('Dataset (pixel) ID'),
    eventsToEvents: listOf(['from', 'to'], 'Standard event in `to` for the event in `from`'),
    whitelistPiiProperties: listOf(['whitelistPiiProperties'], 'Personal properties that are sent all the same'),
    limitedDataUSage: flag('Limited data use, as `context.dataProcessingOptions` says'),
    actionSource: choice(ACTION_SOURCES, 'Where events happened, unless an event says so'),
    accessToken: secret('Access token'),
    testDestination: flag('Events are test events'),
    testEventCode: text('Code of the test'),
    removeExternalId: flag('Events have no external_id'),
  },
});
