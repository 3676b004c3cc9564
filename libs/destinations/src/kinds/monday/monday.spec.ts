import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { withValues } from '../../../test/sources.fixtures.js';
import monday from './monday.js';

const config = {
  apiToken: 'k',
  boardId: '77',
  whitelistedEvents: [{ eventName: 'Lead Found' }, { eventName: ' Won ' }],
};
const lead = { ...ada, type: 'track', event: 'Lead Found', properties: { name: 'Ada', stage: 'New', isHot: true } };
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  monday.transform(withValues(event, values), { ...config, ...more });
const made = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) => send(event, values, more)[0];

describe('an event for monday.com', () => {
  it('creates an item of the board', () => {
    expect(send(lead)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://api.monday.com/v2', params: {} },
        headers: { authorization: 'k', 'content-type': 'application/json' },
        body: { JSON: { query: expect.stringContaining('create_item'), variables: { board: '77', name: 'Ada' } } },
      },
    ]);
    const named = { event: 'Won', 'properties.name': 7, 'context.externalId': [{ type: 'boardId', id: 12 }] };
    expect(made(lead, named)?.body.JSON).toMatchObject({ variables: { board: '12', name: '7' } });
  });

  it('names what the delivery looks up as parameters', () => {
    const columnToPropertyMapping = [
      ...[{ from: 'Stage', to: 'stage' }, { from: 'Hot', to: 'isHot' }, { from: 'Mail', to: 'email' }, { from: 'x' }],
    ];
    const more = { columnToPropertyMapping, groupTitle: 'Leads' };
    expect(made(lead, { 'properties.emailText': 'write' }, more)?.params).toEqual({
      ...{ columns: { Stage: 'New', Hot: true }, group: 'Leads', properties: { emailText: 'write' } },
    });
    expect(made(lead, { 'properties.stage': '', 'properties.isHot': {} }, more)?.params).toEqual({ group: 'Leads' });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...lead, event: '' }, {}, 'Event name is required'],
    [{ ...lead, event: 7 }, {}, 'Event name is required, and must be a text'],
    [{ ...lead, event: 'Lost' }, {}, 'whitelistedEvents does not list this event'],
    [lead, { whitelistedEvents: [{ eventName: '' }] }, 'whitelistedEvents does not list this event'],
    [lead, { whitelistedEvents: null }, 'whitelistedEvents does not list this event'],
    [{ ...lead, properties: { name: '' } }, {}, 'properties.name is required'],
    [lead, { boardId: '' }, 'boardId is required'],
    [lead, { boardId: '1) { id' }, 'boardId must be the number of a board'],
    [lead, { apiToken: '' }, 'apiToken is required'],
    [{ ...ada, type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('%j with %j is refused: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
