import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const OBJECT = {
  type: 'object',
  additionalProperties: false,
  properties: {
    queryID: kit.FILLED_TEXT,
    price: kit.FILLED_ID,
    discount: kit.FILLED_ID,
    quantity: { type: 'integer' },
  },
};
const OBJECT_IDS = { ...kit.filledList(kit.FILLED_TEXT), maxItems: 20 };

const INSIGHT = {
  ...kit.objectWith(['eventName', 'eventType', 'index', 'userToken'], {
    eventName: kit.FILLED_TEXT,
    eventType: { enum: ['click', 'view', 'conversion'] },
    eventSubtype: { enum: ['addToCart', 'purchase'] },
    index: kit.FILLED_TEXT,
    userToken: kit.FILLED_TEXT,
    queryID: kit.FILLED_TEXT,
    timestamp: { type: 'number' },
    objectIDs: OBJECT_IDS,
    positions: { ...kit.filledList({ type: 'integer' }), maxItems: 20 },
    objectData: { ...kit.filledList(OBJECT), maxItems: 20 },
    filters: { ...kit.filledList(kit.FILLED_TEXT), maxItems: 10 },
    value: { type: 'number' },
    currency: kit.FILLED_TEXT,
  }),
  additionalProperties: false,
  oneOf: [{ required: ['objectIDs'] }, { required: ['filters'] }],
  dependentRequired: { positions: ['objectIDs', 'queryID'], objectData: ['objectIDs'] },
};

/** https://www.algolia.com/doc/rest-api/insights/push-events */
export const algoliaRequests: RequestSchemas = {
  'POST /1/events': kit.objectWith(['events'], { events: kit.filledList(INSIGHT) }),
};
