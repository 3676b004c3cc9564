import { decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const zendeskDefinition = vendorDefinition({
  name: 'ZENDESK',
  displayName: 'Zendesk',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    email: required(text('E-mail of the agent to whom the token belongs')),
    apiToken: required(secret('API token')),
    domain: decidesHost(required(text('Subdomain of the account: `acme` of acme.zendesk.com'))),
    createUsersAsVerified: flag('Users need not confirm their address'),
    sendGroupCallsWithoutUserId: flag('Groups without a user make organizations too'),
    removeUsersFromOrganization: flag('`traits.company: { id, remove: true }` ends a membership'),
    searchByExternalId: flag('The e-mail of an identify becomes the primary one'),
    sourceName: text('Source of events in the timeline of a user'),
  },
});
