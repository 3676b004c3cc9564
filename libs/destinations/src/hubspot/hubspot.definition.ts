import { anything, choice, listOf, secret, text, vendorDefinition } from '../toolkit/index.js';

export const hubspotDefinition = vendorDefinition({
  name: 'HS',
  displayName: 'HubSpot',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    authorizationType: choice(['newPrivateAppApi', 'legacyApiKey'], 'newPrivateAppApi: HubSpot has ended API keys'),
    hubID: anything('Number of the account'),
    apiKey: secret('Not taken by HubSpot any more'),
    accessToken: secret('Access token of a private app with crm.objects.contacts.write and behavioral events'),
    apiVersion: choice(['newApi', 'legacyApi'], 'newApi: HubSpot has ended the other'),
    lookupField: text('Property by which a contact is known, unique in HubSpot; email when not given'),
    contactProperties: listOf(
      ['from', 'to'],
      'More properties of contacts: a trait in `from`, the internal name in `to`',
    ),
    hubspotEvents: {
      schema: {
        type: ['array', 'null'],
        maxItems: 500,
        description: 'Events: rsEventName, hubspotEventName and eventProperties as a list of from and to',
        items: { type: 'object' },
      },
    },
  },
});
