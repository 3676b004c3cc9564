import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf, forget } from '../../test/deletion.fixtures.js';
import { destinationDefinitions, destinationKind } from '../registry.js';
import { identifiersOf } from './api-call.js';

describe('the identifiers of users', () => {
  it('are texts and numbers, each once, and nothing else', () => {
    const users = [
      { id: ' a ' },
      { id: 7 },
      { id: 'a' },
      { id: '' },
      { id: { $gt: '' } },
      { id: ['b'] },
      { id: true },
      {},
    ];
    expect(identifiersOf(users, 'id')).toEqual(['a', '7']);
  });
});

const ada = { userId: 'ada', email: 'ada@example.com', phone: '+4930123', anonymousId: 'anon-1' };
const config = {
  ...{ apiKey: 'k', apiSecret: 's', siteID: 'u', dataCenter: 'US-01', restApiKey: 'k', privateApiKey: 'k', token: 't' },
  ...{ accountId: 'a', passcode: 'p', yourInstance: 'hog.example.com', projectId: '7', personalApiKey: 'p' },
};

describe('what a deletion requires of the configuration', () => {
  const requiring = destinationDefinitions().flatMap(({ name, configSchema }) =>
    (destinationKind(name)?.deletion?.requires ?? []).map((key) => [name, key, configSchema['properties']] as const),
  );

  it('is known of kinds whose usual configuration does not include it', () => {
    expect(requiring.map(([type, key]) => `${type} ${key}`)).toEqual(
      expect.arrayContaining(['WEBHOOK deletionUrl', 'POSTHOG personalApiKey', 'GA4 propertyId']),
    );
  });

  it.each(requiring)('is a property at %s: %s, and nobody is deleted without it', async (type, key, properties) => {
    expect(properties).toHaveProperty(key);
    const without = { ...config, serviceAccountKey: '{}', propertyId: '1', [key]: '' };
    const { outcome, sent } = await forget(type, without, [ada]).catch(({ message }) => ({
      outcome: { status: 'failed', reason: message },
      sent: [],
    }));
    expect(sent).toEqual([]);
    expect(outcome).toEqual({ status: expect.stringMatching(/^(failed|not_supported)$/), reason: expect.any(String) });
  });
});

describe('custom identifiers of a regulation', () => {
  it.each<[string, JsonObject, JsonObject[]]>([
    ['AM', { amplitude_id: '42' }, [{ user_ids: ['ada'], amplitude_ids: [42] }]],
    ['CLEVERTAP', { guid: 'g1' }, [{ identity: ['ada'] }, { guid: ['g1'] }]],
    [
      'BRAZE',
      { braze_id: 'b1' },
      [
        { external_ids: ['ada'] },
        { braze_ids: ['b1'] },
        { email_addresses: [{ email: ada.email, prioritization: ['unidentified', 'most_recently_updated'] }] },
      ],
    ],
    ['POSTHOG', {}, [{ distinct_ids: ['ada', 'anon-1'] }]],
  ])('serve deletion at %s beside the userId', async (name, more, bodies) => {
    const { sent } = await forget(name, { ...config, dataCenter: 'US-01' }, [{ ...ada, ...more }]);
    expect(sent.map(bodyOf)).toEqual(bodies.map((body) => expect.objectContaining(body)));
  });

  it.each([
    ['ITERABLE', {}, ['users/byUserId/ada', 'users/ada%40example.com']],
    ['CUSTOMERIO', { cio_id: '03' }, ['customers/ada', 'customers/ada%40example.com', 'customers/cio_03']],
  ])('are addresses at %s', async (name, more, paths) => {
    const { sent } = await forget(name, config, [{ ...ada, ...more }]);
    expect(sent.map(({ url }) => url.replace(/^.*?(?=users|customers)/, ''))).toEqual(paths);
  });

  it('are looked up at Klaviyo, and each profile is deleted once', async () => {
    const found = (...ids: string[]) => ({ status: 200, body: { data: ids.map((id) => ({ id })) } });
    const answers = [found('p1'), found('p1', 'p2'), found(), { status: 202 }, { status: 202 }];
    const { outcome, sent } = await forget('KLAVIYO', config, [ada], answers);
    const filters = sent.slice(0, 3).map(({ url }) => new URL(url).searchParams.get('filter'));
    expect(filters).toEqual([
      'equals(external_id,"ada")',
      'equals(email,"ada@example.com")',
      'equals(phone_number,"+4930123")',
    ]);
    expect(sent.slice(3).map((request) => JSON.stringify(bodyOf(request)).match(/"id":"(\w+)"/)?.[1])).toEqual([
      'p1',
      'p2',
    ]);
    expect(outcome).toEqual({ status: 'forwarded' });
  });

  it('are distinct ids of devices at Mixpanel', async () => {
    const { sent } = await forget('MP', config, [ada]);
    expect(JSON.parse(sent[0]?.body ?? '').map((one: JsonObject) => one['$distinct_id'])).toEqual([
      ...['ada', 'anon-1', '$device:anon-1'],
    ]);
  });

  it.each(['CUSTIFY', 'INTERCOM', 'SENDGRID'])('are needed: a user without any is not deleted at %s', async (name) => {
    await expect(forget(name, config, [{ plan: 'pro' }])).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('are all named by their kinds, and stores know the userId only', () => {
    expect(destinationKind('INTERCOM')?.deletion?.identifiers).toEqual(['userId', 'email', 'phone']);
    for (const name of ['REDIS', 'S3']) expect(destinationKind(name)?.deletion?.identifiers).toEqual(['userId']);
  });
});
