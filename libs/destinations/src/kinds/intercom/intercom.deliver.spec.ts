import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../../test/deletion.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { Vendor } from '../../../test/vendor.fixtures.js';
import { intercomDeliver } from './intercom.deliver.js';
import intercom from './intercom.js';

const config = { apiKey: 'k', apiVersion: 'v2' };
const FOUND = { 'POST contacts/search': { data: [{ id: 'c/1' }] } };
const NOBODY = { 'POST contacts/search': { data: [] } };

/** Delivers the payloads of an event. */
async function deliver(event: JsonObject, answers: Record<string, JsonObject | number>) {
  const vendor = new Vendor('https://api.intercom.io/', answers);
  const statuses = await vendor.take(intercomDeliver, intercom.transform({ ...ada, ...event }, config), config);
  return { statuses, sent: vendor.sent, names: vendor.names };
}

describe('a contact on its way to Intercom', () => {
  const event = { type: 'identify', traits: { email: 'a@b.c' } };

  it('is searched by all that is known, and updated under the id of Intercom', async () => {
    const { names, sent } = await deliver(event, FOUND);
    expect(names).toEqual(['POST contacts/search', 'PUT contacts/c%2F1']);
    expect(bodyOf(sent[0])).toEqual({
      query: {
        operator: 'OR',
        value: [
          { field: 'email', operator: '=', value: 'a@b.c' },
          { field: 'external_id', operator: '=', value: 'ada' },
        ],
      },
    });
    expect(bodyOf(sent[1])).toEqual({ external_id: 'ada', email: 'a@b.c' });
    expect(sent[1]?.headers).toMatchObject({ authorization: 'Bearer k', 'idempotency-key': 'i' });
  });

  it('is created when nobody is found', async () => {
    expect((await deliver(event, NOBODY)).names).toEqual(['POST contacts/search', 'POST contacts']);
  });

  it.each([401, 429, 503])('stays where it is when the search is answered with %i', async (status) => {
    expect(await deliver(event, { 'POST contacts/search': status })).toMatchObject({
      ...{ statuses: [status], names: ['POST contacts/search'] },
    });
  });

  it.each<[JsonObject, string]>([
    [{ id: 'c 1', remove: true }, 'GET companies?company_id=c+1'],
    [{ name: 'Weir', remove: true }, 'GET companies?name=Weir'],
  ])('leaves the company %j first', async (company, lookup) => {
    const leaving = { ...event, traits: { ...event.traits, company } };
    const left = [...['POST contacts/search', lookup, 'DELETE contacts/c%2F1/companies/i-1'], 'PUT contacts/c%2F1'];
    expect((await deliver(leaving, { ...FOUND, [lookup]: { id: 'i-1' } })).names).toEqual(left);
    expect(await deliver(leaving, { ...FOUND, [lookup]: 404 })).toMatchObject({
      statuses: [404],
      names: { length: 2 },
    });
    expect((await deliver(leaving, NOBODY)).names).toEqual(['POST contacts/search', 'POST contacts']);
  });
});

describe('a company on its way to Intercom', () => {
  const event = { type: 'group', groupId: 'g', traits: { name: 'Weir' } };
  const company = { 'POST companies': { id: 'i/1' } };

  it('gets its member', async () => {
    const { names, sent } = await deliver(event, { ...company, ...FOUND });
    expect(names).toEqual(['POST companies', 'POST contacts/search', 'POST contacts/c%2F1/companies']);
    expect(bodyOf(sent[2])).toEqual({ id: 'i/1' });
  });

  it('stays alone when the member is not found, or none is named', async () => {
    expect((await deliver(event, { ...company, ...NOBODY })).names).toHaveLength(2);
    expect((await deliver({ ...event, userId: '' }, company)).names).toEqual(['POST companies']);
  });

  it('gets its tags', async () => {
    const tagged = { ...event, context: { traits: { tags: ['a', 'b'] } } };
    const { names, sent } = await deliver(tagged, { ...company, ...FOUND });
    expect(names.slice(3)).toEqual(['POST tags', 'POST tags']);
    expect(bodyOf(sent[4])).toEqual({ name: 'b', companies: [{ id: 'i/1' }] });
    const failing = await deliver({ ...tagged, userId: '' }, { ...company, 'POST tags': 429 });
    expect(failing).toMatchObject({ statuses: [429], names: ['POST companies', 'POST tags'] });
  });

  it('waits with its member when the search or the attachment fails', async () => {
    expect((await deliver(event, { ...company, 'POST contacts/search': 503 })).statuses).toEqual([503]);
    expect((await deliver(event, { ...company, ...FOUND, 'POST contacts/c%2F1/companies': 422 })).statuses).toEqual([
      422,
    ]);
  });

  it('is refused as a whole', async () => {
    expect(await deliver(event, { 'POST companies': 422 })).toMatchObject({ statuses: [422], names: { length: 1 } });
  });
});

it('an event needs no look-up', async () => {
  expect((await deliver({ type: 'track', event: 'Paid' }, {})).names).toEqual(['POST events']);
});
