import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../../test/deletion.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import type { OutboundRequest, Payload } from '../../kind.js';
import { valueAt } from '../../toolkit/index.js';
import { mondayDeliver } from './monday.deliver.js';
import monday from './monday.js';

const board = {
  columns: [
    { id: 'c0', title: 'Any', type: 'name' },
    ...['text', 'numeric', 'numbers', 'color', 'status', 'boolean', 'checkbox', 'rating', 'email', 'link'].map(
      (type) => ({ id: `${type}_1`, title: `My ${type}`, type }),
    ),
    ...['long-text', 'long_text', 'timezone', 'world_clock', 'country', 'phone', 'location', 'tag'].map((type) => ({
      ...{ id: `${type}_1`, title: `My ${type}`, type },
    })),
  ],
  groups: [{ id: 'g1', title: 'Leads' }],
};
const completing = {
  ...{
    emailText: 'write',
    linkText: 'read',
    countryCode: 'GB',
    countryShortName: 'GB',
    latitude: 51.5,
    longitude: '0',
  },
};

/** Delivers an item with the property `v` in the columns of these types, to an API with these answers in order. */
async function deliver(types: readonly string[], v: unknown, answers: readonly JsonObject[], more: JsonObject = {}) {
  const config = {
    ...{ apiToken: 'k', boardId: '77', whitelistedEvents: [{ eventName: 'Won' }] },
    ...{ columnToPropertyMapping: types.map((type) => ({ from: `My ${type}`, to: 'v' })), ...more },
  };
  const properties = { name: 'Ada', v, ...completing };
  const [payload] = monday.transform({ ...ada, type: 'track', event: 'Won', properties }, config) as [Payload];
  const requests: OutboundRequest[] = [];
  const request = async (sent: OutboundRequest) => {
    const { status = 200, ...body } = answers[requests.push(sent) - 1] ?? {};
    const headers = { 'content-type': 'application/json' };
    return { status: Number(status), headers, body: Buffer.from(JSON.stringify(body)), truncated: false };
  };
  const connect = () => Promise.reject(new Error('no connection'));
  const result = await mondayDeliver(payload, config, { request, connect }, {});
  return { result, requests, variables: requests.map((sent) => valueAt(bodyOf(sent), 'variables') as JsonObject) };
}
const found = { data: { boards: [board] } };
const taken = { data: { create_item: { id: '1' } } };
const columnsOf = async (type: string, value: unknown) => {
  const { variables } = await deliver([type], value, [found, taken]);
  return JSON.parse(String(variables[1]?.['columns']));
};

describe('an item on the way to monday.com', () => {
  it('is one call when there is nothing to look up', async () => {
    const { result, variables } = await deliver([], 'x', [taken]);
    expect([result.status, variables]).toEqual([200, [{ board: '77', name: 'Ada' }]]);
  });

  it('has the ids of its group and columns', async () => {
    const { result, requests, variables } = await deliver(['text'], 'x', [found, taken], { groupTitle: 'Leads' });
    expect(result).toEqual({ status: 200, response: taken });
    expect(variables).toEqual([
      { board: ['77'] },
      { board: '77', name: 'Ada', columns: '{"text_1":"x"}', group: 'g1' },
    ]);
    expect(requests.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
      ['https://api.monday.com/v2', 'k'],
      ['https://api.monday.com/v2', 'k'],
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['text', 7, '7'],
    ['numeric', 7, '7'],
    ['numbers', '7.5', '7.5'],
    ['color', 'Done', { label: 'Done' }],
    ['status', 'Done', { label: 'Done' }],
    ['boolean', 'yes', { checked: true }],
    ['checkbox', true, { checked: true }],
    ['checkbox', 'false', undefined],
    ['rating', '4', 4],
    ['rating', 'many', undefined],
    ['email', 'a@b.cd', { email: 'a@b.cd', text: 'write' }],
    ['link', 'b.cd', { url: 'b.cd', text: 'read' }],
    ['long-text', 'x', { text: 'x' }],
    ['long_text', 'x', { text: 'x' }],
    ['timezone', 'Europe/London', { timezone: 'Europe/London' }],
    ['world_clock', 'Europe/London', { timezone: 'Europe/London' }],
    ['country', 'United Kingdom', { countryName: 'United Kingdom', countryCode: 'GB' }],
    ['phone', '+44', { phone: '+44', countryShortName: 'GB' }],
    ['location', 'London', { address: 'London', lat: '51.5', lng: '0' }],
  ])('has in a column of type %s for %j the value %j', async (type, value, column) => {
    expect(await columnsOf(type, value)).toEqual(column === undefined ? {} : { [`${type}_1`]: column });
  });

  it.each<[string, string[], JsonObject[], JsonObject, number, RegExp]>([
    ['without its column', ['date'], [found], {}, 400, /no column "My date"/],
    ['whose column cannot be filled', ['tag'], [found], {}, 400, /no column "My tag"/],
    ['without its group', [], [found], { groupTitle: 'Lost' }, 400, /no group "Lost"/],
    ['of a board without groups', [], [{ data: { boards: [{ groups: null }] } }], { groupTitle: 'x' }, 400, /no group/],
    ['without its board', ['text'], [{ data: { boards: [] } }], {}, 400, /board was not found/],
    ['while the API fails', ['text'], [{ status: 503 }], {}, 503, /./],
  ])('%s stops there', async (_, types, answers, more, status, reason) => {
    const { result, requests } = await deliver(types, 'x', answers, more);
    expect([result.status, requests.length]).toEqual([status, 1]);
    expect(String(result.response)).toMatch(reason);
  });

  it.each<[JsonObject, number]>([
    [{ errors: [{ message: 'no such field' }] }, 400],
    [{ errors: [{ message: 'wait', extensions: { code: 'COMPLEXITY_BUDGET_EXHAUSTED' } }] }, 429],
    [{ error_code: 'ComplexityException', error_message: 'wait' }, 429],
    [{ error_code: 'InvalidBoardIdException', error_message: 'no' }, 400],
    [{ errors: ['no such field'] }, 400],
    [{ error_message: 'no such item' }, 400],
    [{ error_message: 'Resource is currently locked' }, 429],
    [{ errors: [{ message: 'Resource is currently locked, please try again later' }] }, 429],
    [{ errors: ['The service is temporarily unavailable'] }, 429],
    [{ error_code: 'Busy', status_code: 429 }, 429],
    [{ errors: [{ message: 'no', extensions: { status_code: 423 } }] }, 429],
    [{ errors: [{ message: 'no', extensions: { status_code: '502' } }] }, 429],
    [{ errors: [{ message: 'no', extensions: { status_code: 403 } }], status_code: 403 }, 400],
    [{ errors: [], error_code: null, error_message: '', data: {} }, 200],
    [{ errors: [] }, 200],
  ])('is refused or tried again by the answer %j: %j', async (answer, status) => {
    expect((await deliver([], 'x', [answer])).result).toEqual({ status, response: answer });
  });

  it('is tried again while its board is locked', async () => {
    expect((await deliver([], 'x', [{ status: 423, message: 'locked' }])).result.status).toBe(429);
  });

  it('keeps an answer that is no JSON object', async () => {
    const { result } = await deliver([], 'x', [{ status: 401, message: 'no' }]);
    expect(result.status).toBe(401);
  });
});
