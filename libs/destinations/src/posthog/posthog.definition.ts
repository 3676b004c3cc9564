import { address, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const posthogDefinition = vendorDefinition({
  name: 'POSTHOG',
  displayName: 'PostHog',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    teamApiKey: required(text('Project API key')),
    yourInstance: address('Address, such as https://us.i.posthog.com'),
    useV2Group: flag('Send group events as group analytics'),
    projectId: text('Project id, for deletion'),
    personalApiKey: secret('Personal API key with person:write, for deletion'),
  },
});
