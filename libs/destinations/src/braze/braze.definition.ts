import { decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const brazeDefinition = vendorDefinition({
  name: 'BRAZE',
  displayName: 'Braze',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    restApiKey: required(
      secret('REST API key with users.track, users.identify, users.merge, subscription.status.set and users.delete'),
    ),
    dataCenter: decidesHost(required(text('Instance, such as US-03 or EU-01'))),
    enableSubscriptionGroupInGroupCall: flag('Send group events as the state of a subscription group'),
    enableNestedArrayOperations: flag('Read add, update and remove in traits as operations on lists of objects'),
    sendPurchaseEventWithExtraProperties: flag('Send the other properties of products with purchases'),
    useEcommerceRecommendedEvents: flag("Send e-commerce events as Braze's recommended events, in place of purchases"),
  },
});
