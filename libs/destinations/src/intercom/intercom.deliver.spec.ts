import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../test/deletion.fixtures.js';
import { ada } from '../../test/events.fixtures.js';
import { Vendor } from '../../test/vendor.fixtures.js';
import { intercomDeliver } from './intercom.deliver.js';
import { intercomTransform } from './intercom.transform.js';

const config = { apiKey: 'k', apiVersion: 'v2' };
const FOUND = { 'POST contacts/search': { data: [{ id: 'c/1' }] } };
const NOBODY = { 'POST contacts/search': { data: [] } };

/** Delivers the payloads of an event. */
async function deliver(event: JsonObject, answers: Record<string, JsonObject | number>) {
  const vendor = new Vendor('https://api.intercom.io/', answers);
  const statuses = await vendor.take(intercomDeliver, intercomTransform({ ...ada, ...event }, config), config);
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

  it('leaves its company', async () => {
    const leaving = { ...event, traits: { ...event.traits, company: { id: 'c 1', remove: true } } };
    const company = { 'GET companies?company_id=c%201': { id: 'i-1' } };
    expect((await deliver(leaving, { ...FOUND, ...company })).names.slice(2)).toEqual([
      ...['GET companies?company_id=c%201', 'POST contacts/search', 'DELETE contacts/c%2F1/companies/i-1'],
    ]);
    expect(await deliver(leaving, { ...FOUND, 'GET companies?company_id=c%201': 404 })).toMatchObject({
      statuses: [200, 404],
    });
    expect((await deliver(leaving, { ...NOBODY, ...company })).names.slice(2)).toEqual([
      ...['GET companies?company_id=c%201', 'POST contacts/search'],
    ]);
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

  it('is refused as a whole', async () => {
    expect(await deliver(event, { 'POST companies': 422 })).toMatchObject({ statuses: [422], names: { length: 1 } });
  });
});

it('an event needs no look-up', async () => {
  expect((await deliver({ type: 'track', event: 'Paid' }, {})).names).toEqual(['POST events']);
});
