import { decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const clevertapDefinition = vendorDefinition({
  name: 'CLEVERTAP',
  displayName: 'CleverTap',
  messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
  transformAtV1: 'router',
  config: {
    accountId: required(text('Project id')),
    passcode: required(secret('Passcode')),
    region: decidesHost(text('Region, such as in1; `none` for the default')),
    trackAnonymous: flag('Send events of people without a user id'),
    enableObjectIdMapping: flag('Know people by the anonymous id as object id'),
  },
});
