import { decidesHost, flag, secret, text, vendorDefinition } from '../toolkit/index.js';

export const mailchimpDefinition = vendorDefinition({
  name: 'MAILCHIMP',
  displayName: 'Mailchimp',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    apiKey: secret('API key'),
    audienceId: text('Audience (list) ID'),
    datacenterId: decidesHost(text('Data center: what follows the dash of the API key, such as us6')),
    enableMergeFields: flag('Traits become merge fields'),
  },
});
