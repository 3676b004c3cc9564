import { flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const attentiveTagDefinition = vendorDefinition({
  name: 'ATTENTIVE_TAG',
  displayName: 'Attentive Tag',
  messageTypes: ['identify', 'track'],
  config: {
    apiKey: required(secret('API key')),
    signUpSourceId: text('Sign-up unit to which people subscribe'),
    enableNewIdentifyFlow: flag('Send an identify as identifiers and attributes, not as a subscription'),
  },
});
