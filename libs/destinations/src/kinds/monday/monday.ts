import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { COMPLETING } from './monday.columns.js';
import { mondayDeliver } from './monday.deliver.js';

/** https://developer.monday.com/api-reference */
const ENDPOINT = 'https://api.monday.com/v2';

/** Values are variables, so that no text of an event is read as part of the query. */
const CREATE =
  'mutation ($board: ID!, $name: String!, $columns: JSON, $group: String) ' +
  '{ create_item (board_id: $board, item_name: $name, column_values: $columns, group_id: $group) { id } }';

export default defineKind({
  name: 'MONDAY',
  displayName: 'monday.com',
  messageTypes: ['track'],
  transformAtV1: 'router',
  config: {
    apiToken: kit.secret('API token'),
    boardId: kit.text('Board of the items, unless the event names one'),
    groupTitle: kit.text('Title of the group of the items. Default: the first'),
    columnToPropertyMapping: kit.listOf(['from', 'to'], 'Titles of columns, and the properties that fill them'),
    whitelistedEvents: kit.listOf(['eventName'], 'Events that become items. No others do'),
  },
  example: { boardId: '12', whitelistedEvents: [{ eventName: 'Order Completed' }] },
  requests: {
    'POST /v2': kit.objectWith(['query', 'variables'], {
      query: { const: CREATE },
      variables: kit.objectWith(['board', 'name'], {
        board: { type: 'string', pattern: '^\\d+$' },
        name: kit.FILLED_TEXT,
      }),
    }),
  },
  transform(event, config) {
    return kit.byType(event, {
      track: () => {
        const headers = { authorization: kit.requiredText(config, 'apiToken') };
        const variables = { board: boardOf(event, config), name: nameOf(event, config) };
        return [kit.jsonRequest(ENDPOINT, { query: CREATE, variables }, { headers, params: toLookUp(event, config) })];
      },
    });
  },
  deliver: mondayDeliver,
});

/** Digits, which fit into a query. */
function boardOf(event: JsonObject, config: JsonObject): string {
  const board = kit.externalId(event, 'boardId') ?? kit.requiredText(config, 'boardId');
  return /^\d{1,30}$/.test(board) ? board : kit.refuse('boardId must be the number of a board');
}

function nameOf(event: JsonObject, config: JsonObject): string {
  if (typeof event['event'] !== 'string') kit.refuse('Event name is required, and must be a text');
  const name = kit.eventName(event);
  if (!kit.configWords(config, 'whitelistedEvents', 'eventName').includes(name.trim())) {
    kit.refuse('whitelistedEvents does not list this event');
  }
  return kit.textAt(event, 'properties.name') ?? kit.refuse('properties.name is required: it names the item');
}

/** Titles that the delivery replaces by ids, and the properties that complete columns. Empty if there is nothing to look up. */
function toLookUp(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const values = kit
    .configPairs(config, 'columnToPropertyMapping')
    .map(([title, key]): [string, unknown] => [title, scalarAt(properties, key)]);
  const columns = kit.compact(kit.objectOf(values));
  const group = kit.configText(config, 'groupTitle');
  return kit.withoutEmpty({
    columns,
    group,
    properties: kit.isEmpty(columns) ? {} : kit.only(properties, COMPLETING),
  });
}

const scalarAt = (properties: JsonObject, path: string): unknown => {
  const value = kit.valueAt(properties, path);
  return kit.isScalar(value) && value !== '' ? value : undefined;
};
