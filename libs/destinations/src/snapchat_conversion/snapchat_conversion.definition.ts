import { choice, flag, listOf, required, secret, text, vendorDefinition } from '../toolkit/index.js';

export const snapchatConversionDefinition = vendorDefinition({
  name: 'SNAPCHAT_CONVERSION',
  displayName: 'Snapchat Conversion',
  messageTypes: ['track', 'page'],
  transformAtV1: 'router',
  config: {
    apiKey: required(secret('Access token')),
    pixelId: text('Pixel, for events of web and shops'),
    snapAppId: text('Snap app id, for events of apps'),
    appId: text('Id of the app in its store'),
    rudderEventsToSnapEvents: listOf(
      ['from', 'to'],
      'Events by another name: yours in `from`, the standard one in `to`',
    ),
    enableDeduplication: flag('Send an id by which Snapchat tells repeated events'),
    deduplicationKey: text('Path of that id in the event; the message id when not given'),
    apiVersion: choice(['newApi', 'legacyApi'], 'newApi: version 3; version 2 otherwise'),
  },
});
