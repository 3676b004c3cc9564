import { decidesHost, flag, listOf, required, secret, vendorDefinition } from '../toolkit/index.js';

export const airshipDefinition = vendorDefinition({
  name: 'AIRSHIP',
  displayName: 'Airship',
  messageTypes: ['identify', 'track', 'group'],
  config: {
    apiKey: required(secret('Bearer token')),
    appKey: secret('App key, for custom events'),
    dataCenter: decidesHost(flag('European data center')),
    timestampAttributes: listOf(['timestampAttribute'], 'Traits that are times'),
  },
});
