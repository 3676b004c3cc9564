import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { branchData } from './branch.data.js';
import { standardName } from './branch.names.js';
import { branchRequests } from './branch.requests.js';
import { branchUser } from './branch.user.js';

/** https://help.branch.io/apidocs/events-api */
const API = 'https://api2.branch.io/v2/event';

export default defineKind({
  name: 'BRANCH',
  displayName: 'Branch Metrics',
  messageTypes: ['identify', 'track'],
  config: {
    branchKey: kit.required(kit.text('Branch key of the app, which the app itself also shows')),
    eventsMapping: kit.listOf(['from', 'to'], 'Event of Branch in `to`, standard or custom, for the event in `from`'),
  },
  example: { branchKey: 'key_live_example', eventsMapping: [] },
  requests: branchRequests,
  transform(event, config) {
    const branch_key = kit.requiredText(config, 'branchKey');
    const send = (path: 'standard' | 'custom', name: string, data: JsonObject) => [
      kit.jsonRequest(
        `${API}/${path}`,
        { branch_key, name, ...data, user_data: branchUser(event) },
        { headers: { accept: 'application/json' }, userId: kit.textAt(event, ['userId', 'anonymousId']) },
      ),
    ];
    return kit.byType(event, {
      identify: () => {
        const user = kit.textAt(event, kit.USER_ID) ?? kit.refuse('userId or anonymousId is required');
        return send('custom', user, branchData(kit.givenTraits(event), 'custom'));
      },
      track: () => {
        const given = kit.eventName(event);
        const mapped = kit.configPairs(config, 'eventsMapping').find(([from]) => isSame(from, given))?.[1] ?? given;
        const standard = standardName(mapped);
        const path = standard === undefined ? 'custom' : 'standard';
        return send(path, standard ?? mapped, branchData(propertiesOf(event), path));
      },
    });
  },
});

const isSame = (from: string, name: string) => from.toLowerCase() === name.trim().toLowerCase();

function propertiesOf(event: JsonObject): JsonObject | undefined {
  const properties = event['properties'];
  return kit.onlyObject(properties) === undefined ? undefined : kit.objectAt(event, 'properties');
}
