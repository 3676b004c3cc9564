import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** Existing senders use this path. The documentation has `/sdk`. */
const API = 'https://api.june.so/api';

const ID: kit.Rule = { from: kit.KNOWN_USER_ID, as: [kit.onlyId, kit.toText] };
/** A time stays as the sender wrote it. June takes the time of arrival where there is none. */
const timeAsGiven: kit.Conversion = (time) => (typeof time === 'string' && kit.toIso(time) ? time : kit.toIso(time));
const EVERY: kit.Mapping = {
  anonymousId: { from: 'anonymousId', as: [kit.onlyId, kit.toText] },
  timestamp: { from: ['originalTimestamp', 'timestamp'], as: timeAsGiven },
};
const PERSON: kit.Mapping = { userId: { ...ID, required: true }, ...EVERY };
const COMPANY: kit.Mapping = {
  groupId: { from: kit.GROUP_ID, as: [kit.onlyId, kit.toText], required: true },
  userId: ID,
  ...EVERY,
};
const PAGE: kit.Mapping = { ...PERSON, name: { from: 'name', as: kit.onlyText } };

const TEXTS = { userId: kit.FILLED_TEXT, anonymousId: kit.FILLED_TEXT, timestamp: kit.FILLED_TEXT };
const OBJECTS = { traits: { type: 'object' }, properties: { type: 'object' } };
const CONTEXT = { context: kit.objectWith(['groupId'], { groupId: kit.FILLED_TEXT }) };
const bodyWith = (required: readonly string[]) =>
  kit.objectWith(required, { ...TEXTS, ...OBJECTS, ...CONTEXT, event: kit.FILLED_TEXT, groupId: kit.FILLED_TEXT });

/** https://www.june.so/docs/tracking/http-api/track and its neighbours identify, page and group. */
export default defineKind({
  name: 'JUNE',
  displayName: 'June',
  messageTypes: ['identify', 'track', 'page', 'group'],
  config: { apiKey: kit.secret('Write key of the workspace') },
  example: {},
  requests: {
    'POST /api/identify': bodyWith(['userId']),
    'POST /api/track': bodyWith(['userId', 'event']),
    'POST /api/page': bodyWith(['userId']),
    'POST /api/group': {
      ...bodyWith(['groupId']),
      anyOf: [{ required: ['userId'] }, { required: ['anonymousId'] }],
    },
  },
  transform(event, config) {
    const headers = { authorization: `Basic ${kit.requiredText(config, 'apiKey')}` };
    const send = (path: string, body: JsonObject) => [
      kit.jsonRequest(`${API}/${path}`, kit.compact(body), { headers }),
    ];
    return kit.byType(event, {
      identify: () => send('identify', { ...kit.mapFields(event, PERSON), traits: kit.givenTraits(event) }),
      track: () => {
        const name = kit.eventName(event);
        return send('track', { event: name, ...kit.mapFields(event, PERSON), ...happened(event) });
      },
      page: () => send('page', { ...kit.mapFields(event, PAGE), ...happened(event) }),
      group: () =>
        send('group', { ...someone(kit.mapFields(event, COMPANY)), traits: kit.onlyObject(event['traits']) }),
    });
  },
});

/** June asks for the id of a user, known or not, also with a company. */
const someone = (body: JsonObject): JsonObject =>
  body['userId'] === undefined && body['anonymousId'] === undefined
    ? kit.refuse('userId or anonymousId is required')
    : body;

/** The properties of an event, and the company that it happened at. */
function happened(event: JsonObject): JsonObject {
  const groupId = kit.externalId(event, 'juneGroupId') ?? kit.textAt(event, 'properties.groupId');
  const properties = kit.onlyObject(event['properties']);
  return {
    properties: properties && kit.omit(properties as JsonObject, ['groupId']),
    context: groupId === undefined ? undefined : { groupId },
  };
}
