import type { JsonObject } from '@weir/contracts';
import type { DestinationKind, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/#batch */
const ENDPOINT = 'https://api.segment.io/v1/batch';
/** The documented limit is 500 KB and 2,500 events per batch. Leaves room for the envelope. */
const BATCH = kit.batchLists(['batch'], { itemsMax: 2_500, bytesMax: 480_000 });

const EVENT: kit.Mapping = {
  type: { from: 'type', as: kit.toLowerCase },
  anonymousId: 'anonymousId',
  userId: kit.KNOWN_USER_ID,
  event: 'event',
  name: 'name',
  category: 'category',
  groupId: 'groupId',
  previousId: 'previousId',
  traits: ['traits', 'context.traits'],
  properties: 'properties',
  // The documentation spells it `timestamp`. Existing senders use this spelling.
  timeStamp: kit.TIMESTAMP,
};

export const segment: DestinationKind = {
  definition: kit.vendorDefinition({
    name: 'SEGMENT',
    displayName: 'Segment',
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    config: { writeKey: kit.secret('Write key of the HTTP API source') },
  }),
  transform: segmentTransform,
  batch: () => BATCH,
};

export function segmentTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = () => {
    const item = kit.mapFields(event, EVENT);
    if (item['userId'] === undefined && item['anonymousId'] === undefined)
      kit.refuse('userId or anonymousId is required');
    const headers = kit.basicAuth(kit.requiredText(config, 'writeKey'), '');
    return [kit.jsonRequest(ENDPOINT, { batch: [item] }, { headers, userId: kit.textAt(item, 'userId') })];
  };
  return kit.byType(event, { identify: send, track: send, page: send, screen: send, group: send, alias: send });
}
