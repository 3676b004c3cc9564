import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';

/** https://developers.heap.io/reference/server-side-apis-overview */
const HOSTS: Readonly<Record<string, string>> = {
  us: 'https://heapanalytics.com/api',
  eu: 'https://c.eu.heap-api.com/api',
};

/** An event may name its own key under `properties.idempotencyKey`. Heap drops repeats of it. */
const IDEMPOTENCY_KEY = 'idempotencyKey';

const USER: kit.Mapping = { identity: { from: kit.USER_ID, as: kit.toText, required: true } };

const EVENT: kit.Mapping = {
  ...USER,
  timestamp: kit.TIMESTAMP,
  idempotency_key: { from: `properties.${IDEMPOTENCY_KEY}`, as: kit.toText },
};

/** https://developers.heap.io/reference/bulk-track. Only the bodies of track events name an event. */
const events = kit.batchBodies('events', { itemsMax: 1_000, bytesMax: 900_000, shared: ['app_id'] });

const PROPERTIES = { app_id: kit.FILLED_TEXT, identity: kit.FILLED_TEXT, properties: { type: 'object' } };
const TRACKED = { ...PROPERTIES, event: kit.FILLED_TEXT, idempotency_key: kit.FILLED_TEXT };
const BULK = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['identity', 'event'], properties: TRACKED },
};

export default defineKind({
  name: 'HEAP',
  displayName: 'Heap.io',
  messageTypes: ['identify', 'track'],
  config: {
    appId: kit.required(kit.text('App ID of the environment')),
    dataResidency: kit.asAddress(kit.choice(['us', 'eu'], 'Where Heap keeps the data. Default: us')),
  },
  example: { appId: '11' },
  requests: {
    'POST /api/add_user_properties': {
      type: 'object',
      required: ['app_id', 'identity', 'properties'],
      properties: PROPERTIES,
    },
    'POST /api/track': {
      type: 'object',
      required: ['app_id'],
      anyOf: [{ required: ['identity', 'event'] }, { required: ['events'] }],
      properties: { ...TRACKED, events: BULK },
    },
  },
  transform(event, config) {
    const region = kit.configText(config, 'dataResidency').toLowerCase() || 'us';
    const host = kit.lookedUp(HOSTS, region) ?? kit.refuse('dataResidency must be us or eu');
    const app_id = kit.requiredText(config, 'appId');
    const send = (path: string, body: object) => {
      const fields = { headers: { accept: 'application/json' }, userId: kit.textAt(event, kit.USER_ID) };
      return [kit.jsonRequest(`${host}/${path}`, { app_id, ...body }, fields)];
    };
    return kit.byType(event, {
      identify: () => send('add_user_properties', { ...kit.mapFields(event, USER), properties: kit.traitsOf(event) }),
      track: () => {
        const properties = kit.omit(kit.objectAt(event, 'properties'), [IDEMPOTENCY_KEY]);
        return send('track', { event: kit.eventName(event), ...kit.mapFields(event, EVENT), properties });
      },
    });
  },
  batch: { ...events, keyOf: (payload) => (payload.endpoint.endsWith('/track') ? events.keyOf(payload) : undefined) },
});
