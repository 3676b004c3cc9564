import { choice, decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const iterableDefinition = vendorDefinition({
  name: 'ITERABLE',
  displayName: 'Iterable',
  messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: required(secret('Server-side API key')),
    dataCenter: decidesHost(choice(['USDC', 'EUDC'], 'United States or Europe')),
    packageName: text('Name of the app whose devices are registered'),
    preferUserId: flag('Make a user with the user id when there is none with the email address'),
    mergeNestedObjects: flag('Merge objects of a user instead of replacing them'),
    mapToSingleEvent: flag('All pages and screens are one event'),
    trackAllPages: flag('Send pages and screens'),
    trackNamedPages: flag('Send those with a name'),
    trackCategorisedPages: flag('Send those with a category'),
    registerDeviceOrBrowserApiKey: secret('API key that may register devices and browsers'),
  },
});
