import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** Statsig's intake for events of this format. Statsig chose the last word of the path. */
const ENDPOINT = 'https://api.statsig.com/v1/webhooks/rudderstack';

/** Statsig reads the events unchanged. */
export default defineKind({
  name: 'STATSIG',
  displayName: 'Statsig',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: { secretKey: kit.secret('Server secret key') },
  example: {},
  requests: { 'POST /v1/webhooks/rudderstack': kit.objectWith(['type'], { type: kit.FILLED_TEXT }) },
  transform(event, config) {
    const send = () => [
      kit.jsonRequest(ENDPOINT, kit.merged(event), {
        headers: { 'statsig-api-key': kit.requiredText(config, 'secretKey') },
      }),
    ];
    return kit.byType(event, { identify: send, track: send, page: send, screen: send, group: send, alias: send });
  },
});
