import { choice, decidesHost, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const customerioDefinition = vendorDefinition({
  name: 'CUSTOMERIO',
  displayName: 'Customer.io',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: required(secret('Track API key')),
    siteID: required(text('Site id')),
    datacenter: decidesHost(choice(['US', 'EU'], 'Region of the workspace; US when not given')),
    deviceTokenEventName: text('Event that registers a device, beside Application Installed and Application Opened'),
  },
});
