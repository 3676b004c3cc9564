import { choice, decidesHost, flag, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const intercomDefinition = vendorDefinition({
  name: 'INTERCOM',
  displayName: 'Intercom',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    apiKey: required(secret('Access token')),
    appId: text('App ID, for the web SDK'),
    apiServer: decidesHost(choice(['standard', 'eu', 'au'], 'Region of the workspace')),
    apiVersion: choice(['v1', 'v2'], '`v2` knows contacts; `v1`, with users, counts when nothing is given'),
    sendAnonymousId: flag('Who has no user id is known by the anonymous id'),
    updateLastRequestAt: flag('With `v1`, an identify is a request of the user; off only when false'),
  },
});
