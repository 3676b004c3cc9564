import { decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const moengageDefinition = vendorDefinition({
  name: 'MOENGAGE',
  displayName: 'MoEngage',
  messageTypes: ['identify', 'track', 'alias'],
  transformAtV1: 'router',
  config: {
    apiId: required(text('Workspace id')),
    apiKey: required(secret('API key')),
    region: decidesHost(text('US, EU, IND, or another data center by its number, such as 04')),
    useObjectData: flag('Send nested objects as they are'),
  },
});
