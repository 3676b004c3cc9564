import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/#batch */
const ENDPOINT = 'https://api.segment.io/v1/batch';
/** The documented limit is 500 KB and 2,500 events per batch. Leaves room for the envelope. */
const BATCH = kit.batchLists(['batch'], { itemsMax: 2_500, bytesMax: 480_000 });

/** The anonymous id is known beside the traits. */
const withoutAnonymousId: kit.Conversion = (traits) =>
  isJsonObject(traits) ? kit.pick(traits, (value, key) => key !== 'anonymousId' || !value) : undefined;

const EVENT: kit.Mapping = {
  anonymousId: { from: 'anonymousId', as: kit.onlyId },
  type: { from: 'type', as: kit.toLowerCase },
  userId: { from: kit.USER_ID, as: kit.onlyId },
  event: { from: 'event', as: (name) => name || undefined },
  traits: { from: ['traits', 'context.traits'], as: withoutAnonymousId },
  properties: { from: 'properties', as: kit.onlyObject },
  // The documentation spells it `timestamp`. Existing senders use this spelling.
  timeStamp: kit.TIMESTAMP,
};

/** Segment requires the group of a group event, and the earlier id of an alias. */
const MORE: Readonly<Record<string, kit.Mapping>> = {
  group: { groupId: 'groupId' },
  alias: { previousId: 'previousId' },
};

export default defineKind({
  name: 'SEGMENT',
  displayName: 'Segment',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: { writeKey: kit.secret('Write key of the HTTP API source') },
  example: {},
  requests: {
    'POST /v1/batch': {
      type: 'object',
      required: ['batch'],
      properties: {
        batch: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['type', 'userId'],
            properties: {
              userId: kit.FILLED_ID,
              traits: { type: 'object' },
              properties: { type: 'object' },
            },
            anyOf: [
              { properties: { type: { enum: ['identify', 'page', 'screen', 'group', 'alias'] } } },
              { properties: { type: { const: 'track' } }, required: ['event'] },
            ],
          },
        },
      },
    },
  },
  transform(event, config) {
    const send = () => {
      const item = itemOf(event);
      if (item['userId'] === undefined) kit.refuse('userId or anonymousId is required');
      const headers = kit.basicAuth(kit.requiredText(config, 'writeKey'), '');
      return [kit.jsonRequest(ENDPOINT, { batch: [item] }, { headers, userId: kit.toText(item['userId']) })];
    };
    const track = () => {
      if (!event['event']) kit.refuse('Event name is required');
      return send();
    };
    return kit.byType(event, { identify: send, track, page: send, screen: send, group: send, alias: send });
  },
  batch: BATCH,
});

function itemOf(event: JsonObject): JsonObject {
  const item = kit.mapFields(event, EVENT);
  return { ...item, ...kit.mapFields(event, MORE[String(item['type'])] ?? {}) };
}
