import { anything, choice, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const klaviyoDefinition = vendorDefinition({
  name: 'KLAVIYO',
  displayName: 'Klaviyo',
  messageTypes: ['identify', 'track', 'screen', 'group'],
  transformAtV1: 'router',
  config: {
    apiVersion: choice(
      ['v1', 'v2', 'v3'],
      'Revision of the API: v3 for new destinations; v1, the oldest, when not given',
    ),
    publicApiKey: text('Read by the SDKs'),
    privateApiKey: required(
      secret(
        'Private API key with profiles, events, lists and subscriptions; for deletion profiles:read and data-privacy:write',
      ),
    ),
    listId: text('List to which an identify with `subscribe` subscribes'),
    consent: anything('Channels of a subscription: email, sms'),
    flattenProperties: flag('Send nested properties under dotted names'),
    enforceEmailAsPrimary: flag('Know people by e-mail and phone, not by the user id'),
  },
});
