import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../../test/deletion.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { Vendor } from '../../../test/vendor.fixtures.js';
import { zendeskDeliver } from './zendesk.deliver.js';
import zendesk from './zendesk.js';

let accounts = 0;
/** Delivers events, by default to an account that Weir has not seen before. */
async function deliver(
  events: readonly JsonObject[],
  answers: Record<string, JsonObject | number>,
  more: JsonObject = {},
) {
  const config = { domain: `acme-${accounts++}`, email: 'agent@acme.example', apiToken: 't', ...more };
  const vendor = new Vendor(`https://${config.domain}.zendesk.com/api/v2/`, answers);
  const payloads = events.flatMap((event) => zendesk.transform({ ...ada, ...event }, config));
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

  describe('whose address is the primary one', () => {
    const LIST = 'GET users/7/identities.json';
    const identity = (id: number, value: string, primary: boolean, type = 'email') => ({ id, type, value, primary });
    const former = identity(1, 'old@b.c', true);
    const on = { searchByExternalId: true };

    it.each<[string, JsonObject[], string[]]>([
      ['is left alone', [identity(2, 'A@b.c', true), identity(3, 'x@b.c', false)], []],
      ['takes the place of the former', [former], ['PUT users/7/identities/1.json']],
      [
        'takes it from a secondary one',
        [former, identity(2, 'A@b.c', false)],
        ['DELETE users/7/identities/2.json', 'PUT users/7/identities/1.json'],
      ],
      ['is not a phone', [identity(1, '+1', true, 'phone_number')], []],
    ])('%s', async (_, identities, calls) => {
      const { names, statuses } = await deliver([user], { ...made, [LIST]: { identities } }, on);
      expect(names).toEqual([UPSERT, LIST, ...calls]);
      expect(statuses).toEqual([200]);
    });

    it.each([true, false])('is verified, if users are: %s', async (createUsersAsVerified) => {
      const answers = { ...made, [LIST]: { identities: [former] } };
      const { sent } = await deliver([user], answers, { ...on, createUsersAsVerified });
      expect(bodyOf(sent[2])).toEqual({ identity: { type: 'email', value: 'a@b.c', verified: createUsersAsVerified } });
    });

    it.each([
      ['the list is refused', { [LIST]: 403 }, 200, 2],
      ['the list comes later', { [LIST]: 429 }, 429, 2],
      ['the list fails', { [LIST]: 503 }, 503, 2],
      ['the secondary one stays', { 'DELETE users/7/identities/2.json': 422 }, 422, 3],
    ])('unless %s', async (_, failure, status, calls) => {
      const identities = [former, identity(2, 'a@b.c', false)];
      expect(await deliver([user], { ...made, [LIST]: { identities }, ...failure }, on)).toMatchObject({
        ...{ statuses: [status], names: { length: calls } },
      });
    });

    it('needs an address', async () => {
      expect((await deliver([{ ...user, traits: { name: 'Ada' } }], made, on)).names).toEqual([UPSERT]);
    });
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
    const { names, sent } = await deliver([group], { ...organization, ...made }, { createUsersAsVerified: true });
    expect(names.slice(1)).toEqual([SEARCH, UPSERT, MEMBERSHIPS, 'POST organization_memberships.json']);
    expect(bodyOf(sent[2])).toEqual({ user: { name: 'Ada', email: 'a@b.c', external_id: 'ada', verified: true } });
  });

  it('says that its member was not found', async () => {
    const { names, statuses } = await deliver([{ ...group, context: {} }], organization);
    expect(names.slice(1)).toEqual(['GET users/search.json?external_id=ada']);
    expect(statuses).toEqual([400]);
  });

  it('waits with its member when the search fails', async () => {
    expect(await deliver([group], { ...organization, [SEARCH]: 503 })).toMatchObject({ statuses: [503] });
  });
});

describe('an event on the way to Zendesk', () => {
  const event = { type: 'track', event: 'Paid', traits: { email: 'a@b.c', name: 'Ada' } };
  const SEARCH = 'GET users/search.json?query=email%3Aa%40b.c';

  it('goes to the user who has the address', async () => {
    const { names, sent } = await deliver([event], { [SEARCH]: { users: [{ id: 7 }, { id: 8 }] } });
    expect(names).toEqual([SEARCH, 'POST users/7/events']);
    expect(bodyOf(sent[1])).toMatchObject({ event: { type: 'Paid' }, profile: { type: 'Paid' } });
  });

  it('goes to a user who is made, or to one whom Zendesk makes', async () => {
    const { names, sent } = await deliver([event], made);
    expect(names).toEqual([SEARCH, UPSERT, 'POST users/7/events']);
    expect(bodyOf(sent[1])).toEqual({ user: { name: 'Ada', email: 'a@b.c', external_id: 'ada' } });
    const unnamed = { ...event, traits: { email: 'a@b.c' } };
    expect((await deliver([unnamed], {})).names).toEqual([SEARCH, 'POST user_profiles/events']);
  });

  it.each([SEARCH, UPSERT])('waits when %s is answered with 503', async (name) => {
    const { statuses, names } = await deliver([event], { [name]: 503 });
    expect([statuses, names.at(-1)]).toEqual([[503], name]);
  });
});
