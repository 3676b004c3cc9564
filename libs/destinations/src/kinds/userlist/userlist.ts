import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** Userlist's intake for events of this format. Userlist chose the path. */
const ENDPOINT = 'https://incoming.userlist.com/rudderstack/events';

const known = (type: string, ...keys: string[]) =>
  kit.objectWith(['type', 'userId', ...keys], {
    ...kit.objectOf(['userId', ...keys].map((key) => [key, kit.FILLED_ID])),
    type: { const: type },
  });

/** Userlist reads the events unchanged, and ignores those of unknown users: https://userlist.com/docs */
export default defineKind({
  name: 'USERLIST',
  displayName: 'Userlist',
  messageTypes: ['identify', 'track', 'group'],
  config: { pushKey: kit.secret('Push key') },
  example: {},
  requests: {
    'POST /rudderstack/events': { anyOf: [known('identify'), known('track', 'event'), known('group', 'groupId')] },
  },
  transform(event, config) {
    const headers = { authorization: `Push ${kit.requiredText(config, 'pushKey')}` };
    const send = (type: string) => {
      refuseWithout(event, 'userId');
      return [kit.jsonRequest(ENDPOINT, kit.merged(event, { type }), { headers })];
    };
    return kit.byType(event, {
      identify: () => send('identify'),
      track: () => {
        kit.eventName(event);
        return send('track');
      },
      group: () => {
        refuseWithout(event, 'groupId');
        return send('group');
      },
    });
  },
});

function refuseWithout(event: JsonObject, key: string): void {
  if (kit.textAt(event, key) === undefined) kit.refuse(`${key} is required`);
}
