import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

const DISPLAY_NAME = 'Data plane';

/** A request of an SDK to RudderStack's HTTP API, and to Weir, holds at most 4 MB and events of 32 KB each. */
const BATCH = kit.batchLists(['batch'], { itemsMax: 100, bytesMax: 1_000_000 });

/** Fields that the other data plane sets itself when an event arrives there. */
const ITS_OWN = ['receivedAt', 'rudderId'];

export default defineKind({
  name: 'DATA_PLANE',
  displayName: DISPLAY_NAME,
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: {
    dataPlaneUrl: kit.required(
      kit.asAddress(
        kit.field({
          type: 'string',
          pattern: '^https?://.',
          maxLength: 2_048,
          description: 'Address of the data plane, as its SDKs know it. Events go to /v1/batch below it',
        }),
      ),
    ),
    writeKey: kit.required(kit.secret('Write key of the source there')),
  },
  example: { dataPlaneUrl: 'https://hosted.example.com' },
  requests: {
    'POST /v1/batch': {
      type: 'object',
      required: ['batch'],
      properties: {
        batch: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'object', required: ['type'] } },
      },
    },
  },
  /** Copies the event as an SDK sends it, so that two data planes can run side by side. */
  transform(event, config) {
    const endpoint = `${kit.withoutEndSlashes(kit.requiredText(config, 'dataPlaneUrl'))}/v1/batch`;
    const headers = kit.basicAuth(kit.requiredText(config, 'writeKey'), '');
    const send = () => [kit.jsonRequest(endpoint, { batch: [copyOf(event)] }, { headers })];
    return kit.byType(event, { identify: send, track: send, page: send, screen: send, group: send, alias: send });
  },
  takesEventsWhole: true,
  batch: BATCH,
});

/** Copies of a copy are unwanted. Otherwise two data planes that copy to each other would never come to rest. */
function copyOf(event: JsonObject): JsonObject {
  const { integrations } = event;
  return {
    ...kit.pick(event, (_value, key) => !ITS_OWN.includes(key)),
    integrations: { ...(isJsonObject(integrations) && integrations), [DISPLAY_NAME]: false },
  };
}
