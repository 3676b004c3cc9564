import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';
import { attributesOf, eventOf, listsOf, userOf } from './engage.fields.js';
import { engageRequests } from './engage.requests.js';

const API = 'https://api.engage.so/v1';

export default defineKind({
  name: 'ENGAGE',
  displayName: 'Engage',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    publicKey: kit.text('Public key'),
    privateKey: kit.secret('Private key. Engage needs it for e-mail addresses, lists and deletions'),
    listIds: kit.listOf(['listId'], 'Lists of identified users, unless the event names its own'),
  },
  example: { publicKey: 'public-1', listIds: [{ listId: 'list-1' }] },
  requests: engageRequests,
  /** https://engage.so/docs/api/users and https://engage.so/docs/api/lists */
  transform(event, config) {
    const headers = kit.basicAuth(kit.requiredText(config, 'publicKey'), kit.configText(config, 'privateKey'));
    const call = (method: string, path: string, body: JsonObject) => [
      kit.jsonRequest(`${API}/${path}`, body, { method, headers }),
    ];
    const user = () => `users/${kit.pathSegment(userOf(event) ?? refuseNobody())}`;
    const happened = (name: string) => call('POST', `${user()}/events`, eventOf(event, name));
    return kit.byType(event, {
      identify: () => call('PUT', user(), { ...attributesOf(event), ...listsOf(event, config) }),
      track: () => happened(kit.eventName(event)),
      page: () => happened(viewed(event, 'Page')),
      screen: () => happened(viewed(event, 'Screen')),
      group: () => subscription(event, call),
      alias: () => call('POST', 'users/merge', kit.mapFields(event, MERGE)),
    });
  },
  deletion: {
    usersMax: 1,
    identifiers: ['userId'],
    /** https://engage.so/docs/api/users. A user is addressed by our id. */
    delete: async ({ config, users }, outbound) => {
      const headers = kit.basicAuth(required(config, 'publicKey'), required(config, 'privateKey'));
      const calls = userIdsOf(users).map((userId): ApiCall => {
        const url = `${API}/users/${kit.pathSegment(userId, 'unsupported')}`;
        return { method: 'DELETE', url, headers };
      });
      return deleteByCalls(outbound, calls, { vendor: 'Engage', success: 'complete', isAddressed: true }, users);
    },
  },
});

const MERGE: kit.Mapping = {
  source: { from: 'previousId', as: [kit.onlyId, kit.toText], required: true },
  destination: { from: kit.KNOWN_USER_ID, as: [kit.onlyId, kit.toText], required: true },
};

const refuseNobody = () => kit.refuse('userId or an external id of type engageId is required');

/** Words of the traits of a group that steer the request. */
const STEERING_TRAITS = ['operation', 'subscribed'];

/**
 * Traits of a group are those of the user, and the group is a list. A known user is subscribed, or unsubscribed with
 * `traits.subscribed: false`, or leaves the list with `traits.operation: 'remove'`. Engage finds others by e-mail or phone.
 */
function subscription<T>(event: JsonObject, call: (method: string, path: string, body: JsonObject) => T): T {
  const list = kit.pathSegment(kit.textAt(event, kit.GROUP_ID) ?? kit.refuse('groupId is required'));
  const subscribers = `lists/${list}/subscribers`;
  const user = kit.externalId(event, 'engageId') ?? kit.textAt(event, 'userId');
  const traits = kit.objectAt(event, 'traits');
  const isRemoved = traits['operation'] === 'remove';
  if (user !== undefined) {
    const subscribed = kit.toBoolean(traits['subscribed']) ?? true;
    return call(isRemoved ? 'DELETE' : 'PUT', `${subscribers}/${kit.pathSegment(user)}`, { subscribed });
  }
  if (isRemoved) refuseNobody();
  const body = attributesOf({ ...event, traits: kit.omit(traits, STEERING_TRAITS) });
  if (body['email'] === undefined && body['number'] === undefined) {
    kit.refuse('userId, traits.email or traits.phone is required');
  }
  return call('POST', subscribers, body);
}

const viewed = (event: JsonObject, what: string) => {
  const named = (key: string) => kit.textAt(event, [key, `properties.${key}`]);
  return ['Viewed', named('category'), named('name'), what].filter(Boolean).join(' ');
};
