import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { type Answer, bodyOf, forget as forgetUsers } from '../../test/deletion.fixtures.js';
import { defineKind } from '../define-kind.js';

const forget = (name: string, config: JsonObject, userIds: string[], answers: Answer[] = []) =>
  forgetUsers(
    name,
    config,
    userIds.map((userId) => ({ userId, plan: 'pro' })),
    answers,
  );

describe('a deletion by one request for many users', () => {
  it.each([
    ['AM', { apiKey: 'k', apiSecret: 's' }, 'https://amplitude.com/api/2/deletions/users', 'user_ids', 'Basic azpz'],
    [
      ...['AM', { apiKey: 'k', apiSecret: 's', residencyServer: 'EU' }],
      ...['https://analytics.eu.amplitude.com/api/2/deletions/users', 'user_ids', 'Basic azpz'],
    ],
    [
      'BRAZE',
      { restApiKey: 'k', dataCenter: 'US-03' },
      'https://rest.iad-03.braze.com/users/delete',
      'external_ids',
      'Bearer k',
    ],
    [
      'BRAZE',
      { restApiKey: 'k', dataCenter: 'US-10' },
      'https://rest.us-10.braze.com/users/delete',
      'external_ids',
      'Bearer k',
    ],
    [
      'BRAZE',
      { restApiKey: 'k', dataCenter: 'EU-02' },
      'https://rest.fra-02.braze.eu/users/delete',
      'external_ids',
      'Bearer k',
    ],
    [
      'BRAZE',
      { restApiKey: 'k', dataCenter: 'AU-01' },
      'https://rest.au-01.braze.com/users/delete',
      'external_ids',
      'Bearer k',
    ],
    ['SPRIG', { apiKey: 'k' }, 'https://api.sprig.com/v2/purge/visitors', 'userIds', 'Bearer k'],
    [
      'CLEVERTAP',
      { accountId: 'a', passcode: 'p' },
      'https://api.clevertap.com/1/delete/profiles.json',
      'identity',
      undefined,
    ],
    [
      ...['CLEVERTAP', { accountId: 'a', passcode: 'p', region: 'in1' }],
      ...['https://in1.api.clevertap.com/1/delete/profiles.json', 'identity', undefined],
    ],
    [
      ...['MP', { token: 't', gdprApiToken: 'g', userDeletionApi: 'task', dataResidency: 'eu' }],
      ...['https://eu.mixpanel.com/api/app/data-deletions/v3.0/?token=t', 'distinct_ids', 'Bearer g'],
    ],
    [
      ...['POSTHOG', { yourInstance: 'https://eu.i.posthog.com', projectId: '7', personalApiKey: 'p' }],
      ...['https://eu.posthog.com/api/projects/7/persons/bulk_delete/', 'distinct_ids', 'Bearer p'],
    ],
    [
      ...['POSTHOG', { yourInstance: 'hog.example.com/', projectId: '7/..', personalApiKey: 'p' }],
      ...['https://hog.example.com/api/projects/7%2F../persons/bulk_delete/', 'distinct_ids', 'Bearer p'],
    ],
  ] as [string, JsonObject, string, string, string | undefined][])('%s %j', async (name, config, url, key, auth) => {
    const { sent } = await forget(name, config, ['ada', 'bob', 'ada']);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: 'POST', url });
    expect(sent[0]?.headers['authorization']).toBe(auth);
    expect(bodyOf(sent[0])[key]).toEqual(['ada', 'bob']);
  });

  it('is named by headers at CleverTap, whose 200 may be a no', async () => {
    const config = { accountId: 'a', passcode: 'p' };
    const { outcome, sent } = await forget('CLEVERTAP', config, ['ada'], [{ status: 200, body: { status: 'fail' } }]);
    expect(sent[0]?.headers).toMatchObject({ 'x-clevertap-account-id': 'a', 'x-clevertap-passcode': 'p' });
    expect(outcome).toEqual({ status: 'aborted', reason: 'CleverTap refused the deletion', tryAlone: false });
  });

  it('removes profiles at Mixpanel unless a job is asked for, and says so', async () => {
    const { outcome, sent } = await forget(
      'MP',
      { token: 't', dataResidency: 'in' },
      ['ada'],
      [{ status: 200, body: '1' }],
    );
    expect(sent[0]?.url).toBe('https://api-in.mixpanel.com/engage');
    expect(bodyOf(sent[0])).toEqual([{ $distinct_id: 'ada', $token: 't', $delete: null, $ignore_alias: true }]);
    expect(outcome).toMatchObject({ status: 'complete', reason: expect.stringContaining('only the profile') });
    const refused = await forget('MP', { token: 't' }, ['ada'], [{ status: 200, body: '0' }]);
    expect(refused.outcome).toMatchObject({ status: 'aborted' });
  });

  it.each([
    ['AM', { apiKey: 'k', apiSecret: 's' }],
    ['SPRIG', { apiKey: 'k' }],
    ['MP', { token: 't', gdprApiToken: 'g', userDeletionApi: 'task' }],
  ])('is forwarded at %s, where a job does it later', async (name, config) => {
    expect((await forget(name, config, ['ada'])).outcome).toEqual({ status: 'forwarded' });
  });

  it('keeps the users of a refused request apart', async () => {
    const { outcome } = await forget('BRAZE', { restApiKey: 'k', dataCenter: 'US-01' }, ['a', 'b'], [{ status: 400 }]);
    expect(outcome).toMatchObject({ status: 'aborted', tryAlone: true });
  });
});

describe('a deletion by an address that names the user', () => {
  it.each([
    ['CUSTIFY', { apiKey: 'k' }, 'https://api.custify.com/people?user_id=a%2Fb%26c', 'authorization', 'Bearer k'],
    [
      'ENGAGE',
      { publicKey: 'u', privateKey: 'p' },
      'https://api.engage.so/v1/users/a%2Fb%26c',
      'authorization',
      'Basic dTpw',
    ],
    ['ITERABLE', { apiKey: 'k' }, 'https://api.iterable.com/api/users/byUserId/a%2Fb%26c', 'api_key', 'k'],
    [
      'ITERABLE',
      { apiKey: 'k', dataCenter: 'EUDC' },
      'https://api.eu.iterable.com/api/users/byUserId/a%2Fb%26c',
      'api_key',
      'k',
    ],
    [
      'CUSTOMERIO',
      { siteID: 'u', apiKey: 'p' },
      'https://track.customer.io/api/v1/customers/a%2Fb%26c',
      'authorization',
      'Basic dTpw',
    ],
    [
      ...['CUSTOMERIO', { siteID: 'u', apiKey: 'p', datacenter: 'EU' }],
      ...['https://track-eu.customer.io/api/v1/customers/a%2Fb%26c', 'authorization', 'Basic dTpw'],
    ],
  ] as [string, JsonObject, string, string, string][])('%s %j', async (name, config, url, header, value) => {
    const { outcome, sent } = await forget(name, config, ['a/b&c'], [{ status: 404 }]);
    expect(outcome).toEqual({ status: 'complete' });
    expect(sent.map((request) => `${request.method} ${request.url}`)).toEqual([`DELETE ${url}`]);
    expect(sent[0]?.headers[header]).toBe(value);
    expect((await forget(name, config, ['ada'], [{ status: 400 }])).outcome).toMatchObject({ status: 'aborted' });
  });
});

describe('a deletion by an id that the vendor gave', () => {
  it('finds the contacts at Intercom, then deletes each', async () => {
    const found = { status: 200, body: { data: [{ id: 'c/1' }, { id: 'c2' }] } };
    const { outcome, sent } = await forget('INTERCOM', { apiKey: 'k', apiServer: 'eu' }, ['ada'], [found]);
    expect(outcome).toEqual({ status: 'complete' });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.eu.intercom.io/contacts/search',
      'DELETE https://api.eu.intercom.io/contacts/c%2F1',
      'DELETE https://api.eu.intercom.io/contacts/c2',
    ]);
    const [match] = [{ field: 'external_id', operator: '=', value: 'ada' }];
    expect(bodyOf(sent[0])).toMatchObject({ query: { operator: 'OR', value: [match] } });
    expect(sent[1]?.headers['authorization']).toBe('Bearer k');
  });

  it('finds the profile at Klaviyo, whatever is in the id, then asks for a job', async () => {
    const found = { status: 200, body: { data: [{ type: 'profile', id: 'P1' }] } };
    const { outcome, sent } = await forget('KLAVIYO', { privateApiKey: 'k' }, ['a"),or(b'], [found, { status: 202 }]);
    expect(outcome).toEqual({ status: 'forwarded' });
    expect(new URL(sent[0]?.url ?? '').searchParams.get('filter')).toBe('equals(external_id,"a\\"),or(b")');
    expect(sent[1]).toMatchObject({ method: 'POST', url: 'https://a.klaviyo.com/api/data-privacy-deletion-jobs' });
    expect(bodyOf(sent[1])).toMatchObject({
      data: { attributes: { profile: { data: { type: 'profile', id: 'P1' } } } },
    });
    expect(sent[1]?.headers).toMatchObject({
      authorization: 'Klaviyo-API-Key k',
      'content-type': 'application/vnd.api+json',
    });
  });

  it.each([
    ['nobody is found', { status: 200, body: { data: [] } }, { status: 'complete' }],
    [
      'the answer is not a search result',
      { status: 200, body: '<html>' },
      { status: 'failed', reason: 'Intercom gave an answer that cannot be read' },
    ],
    [
      'a result has no id',
      { status: 200, body: { data: [{}] } },
      { status: 'failed', reason: 'Intercom gave an answer that cannot be read' },
    ],
    ['the token is wrong', { status: 401 }, { status: 'failed', reason: 'Intercom refused the credentials (401)' }],
    [
      'the search is not there',
      { status: 404 },
      { status: 'aborted', reason: 'Intercom answered 404', tryAlone: false },
    ],
  ])('deletes nothing when %s', async (_what, answer, outcome) => {
    const done = await forget('INTERCOM', { apiKey: 'k' }, ['ada'], [answer]);
    expect(done).toMatchObject({ outcome, sent: { length: 1 } });
  });

  it('is tried again as a whole when one of the deletions fails', async () => {
    const found = { status: 200, body: { data: [{ id: '1' }, { id: '2' }] } };
    const { outcome, sent } = await forget('INTERCOM', { apiKey: 'k' }, ['ada'], [found, { status: 500 }]);
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(sent).toHaveLength(2);
  });
});

describe('a configuration that deletion cannot use', () => {
  it.each([
    ['AM', { apiKey: 'k' }, 'deletion needs apiSecret'],
    ['BRAZE', { restApiKey: 'k', dataCenter: 'evil.example.com/' }, 'dataCenter must be an instance such as US-03'],
    ['CLEVERTAP', { accountId: 'a' }, 'deletion needs passcode'],
    ['CLEVERTAP', { accountId: 'a', passcode: 'p', region: 'evil.example.com/' }, 'region is unknown'],
    ['CUSTIFY', {}, 'deletion needs apiKey'],
    ['INTERCOM', {}, 'deletion needs apiKey'],
    ['ITERABLE', { apiToken: 'k' }, 'deletion needs apiKey'],
    ['MP', { token: 't', userDeletionApi: 'task' }, 'deletion needs gdprApiToken'],
  ])('of %s, %j, is named', async (name, config, message) => {
    await expect(forget(name, config, ['ada'])).rejects.toMatchObject({ code: 'invalid', message });
  });
});

describe('an event for a kind that only deletes', () => {
  it('is refused with a reason', () => {
    const kind = defineKind({ name: 'ACME', displayName: 'Acme', config: {}, example: {} });
    expect(kind.takesNoEvents).toBe(true);
    expect(() => kind.transform({ type: 'track' }, {})).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining('Acme') }),
    );
  });
});
