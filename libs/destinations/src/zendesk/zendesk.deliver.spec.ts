import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../test/deletion.fixtures.js';
import { ada } from '../../test/events.fixtures.js';
import { Vendor } from '../../test/vendor.fixtures.js';
import { zendeskDeliver } from './zendesk.deliver.js';
import { zendeskTransform } from './zendesk.transform.js';

let accounts = 0;
/** Delivers events, by default to an account that Weir has not seen before. */
async function deliver(
  events: readonly JsonObject[],
  answers: Record<string, JsonObject | number>,
  more: JsonObject = {},
) {
  const config = { domain: `acme-${accounts++}`, email: 'agent@acme.example', apiToken: 't', ...more };
  const vendor = new Vendor(`https://${config.domain}.zendesk.com/api/v2/`, answers);
  const payloads = events.flatMap((event) => zendeskTransform({ ...ada, ...event }, config));
  const statuses = await vendor.take(zendeskDeliver, payloads, config);
  return { statuses, sent: vendor.sent, names: vendor.names };
}
const UPSERT = 'POST users/create_or_update.json';
const user = { type: 'identify', traits: { name: 'Ada', email: 'a@b.c' } };
const made = { [UPSERT]: { user: { id: 7 } } };

describe('a user on the way to Zendesk', () => {
  it('is one call when there are no custom fields', async () => {
    const { names, sent } = await deliver([user], made);
    expect(names).toEqual([UPSERT]);
    expect(sent[0]?.headers).toHaveProperty('idempotency-key', 'i');
  });

  it('has fields that are made when they are missing, and looked up once', async () => {
    const own = { ...user, traits: { ...user.traits, plan: 'pro', age: 36 } };
    const fields = { 'GET user_fields.json': { user_fields: [{ key: 'age' }] } };
    const { names, sent } = await deliver([own, own], { ...made, ...fields });
    expect(names).toEqual(['GET user_fields.json', 'POST user_fields.json', UPSERT, UPSERT]);
    expect(bodyOf(sent[1])).toMatchObject({ user_field: { type: 'text', key: 'plan', title: 'plan' } });
  });

  it.each([
    ['may not be made', { 'POST user_fields.json': 403 }, 200, 3],
    ['cannot be made now', { 'POST user_fields.json': 429 }, 429, 2],
    ['cannot be read', { 'GET user_fields.json': 503 }, 503, 1],
  ])('is held up by a field only when asking again may help: it %s', async (_what, failure, status, calls) => {
    const own = { ...user, traits: { ...user.traits, plan: 'pro' } };
    const fields = { 'GET user_fields.json': { user_fields: [] } };
    expect(await deliver([own], { ...made, ...fields, ...failure })).toMatchObject({
      ...{ statuses: [status], names: { length: calls } },
    });
  });

  it('gets the address as the primary one', async () => {
    const others = { type: 'email', value: 'old@b.c', primary: true, id: 1 };
    const identities = (primary: boolean) => ({
      'GET users/7/identities.json': { identities: [others, { type: 'email', value: 'A@b.c', primary, id: 2 }] },
    });
    const on = { searchByExternalId: true };
    const asked = [UPSERT, 'GET users/7/identities.json'];
    expect((await deliver([user], { ...made, ...identities(true) }, on)).names).toEqual(asked);
    expect((await deliver([user], { ...made, ...identities(false) }, on)).names).toEqual([
      ...asked,
      'PUT users/7/identities/2/make_primary.json',
    ]);
  });

  it('leaves an organization, when it belongs to it', async () => {
    const leaving = { ...user, traits: { ...user.traits, company: { id: 9, remove: true } } };
    const list = (organization_id: number) => ({
      'GET users/7/organization_memberships.json': { organization_memberships: [{ id: 5, organization_id }] },
    });
    const on = { removeUsersFromOrganization: true };
    const { names } = await deliver([leaving], { ...made, ...list(9) }, on);
    expect(names.slice(2)).toEqual(['DELETE organization_memberships/5.json']);
    expect(await deliver([leaving], { ...made, ...list(8) }, on)).toMatchObject({
      ...{ statuses: [200], names: { length: 2 } },
    });
  });

  it('stays as it is when Zendesk refuses it', async () => {
    expect(await deliver([user], { [UPSERT]: 422 }, { searchByExternalId: true })).toMatchObject({
      ...{ statuses: [422], names: { length: 1 } },
    });
  });
});

describe('an organization on the way to Zendesk', () => {
  const context = { traits: user.traits };
  const group = { type: 'group', groupId: 'g', traits: { name: 'Weir' }, context };
  const organization = { 'POST organizations/create_or_update.json': { organization: { id: 3 } } };
  const SEARCH = 'GET users/search.json?query=email%3Aa%40b.c';
  const MEMBERSHIPS = 'GET users/7/organization_memberships.json';

  it('gets its member', async () => {
    const { names, sent } = await deliver([group], { ...organization, [SEARCH]: { users: [{ id: 7 }] } });
    expect(names.slice(1)).toEqual([SEARCH, MEMBERSHIPS, 'POST organization_memberships.json']);
    expect(bodyOf(sent[3])).toEqual({ organization_membership: { user_id: 7, organization_id: 3 } });
  });

  it('has a member once', async () => {
    const memberships = { [MEMBERSHIPS]: { organization_memberships: [{ organization_id: 3 }] } };
    const known = { [SEARCH]: { users: [{ id: 7 }] } };
    expect((await deliver([group], { ...organization, ...known, ...memberships })).names).toHaveLength(3);
  });

  it('gets a member who is made, when there is a name', async () => {
    const { names } = await deliver([group], { ...organization, ...made });
    expect(names.slice(1)).toEqual([SEARCH, UPSERT, MEMBERSHIPS, 'POST organization_memberships.json']);
    const unnamed = { ...group, context: {} };
    expect((await deliver([unnamed], organization)).names.slice(1)).toEqual(['GET users/search.json?external_id=ada']);
  });

  it('waits with its member when the search fails', async () => {
    expect(await deliver([group], { ...organization, [SEARCH]: 503 })).toMatchObject({ statuses: [503] });
  });
});

it('an event needs no look-up', async () => {
  const event = { type: 'track', event: 'Paid', traits: { email: 'a@b.c' } };
  expect((await deliver([event], {})).names).toEqual(['POST user_profiles/events']);
});
