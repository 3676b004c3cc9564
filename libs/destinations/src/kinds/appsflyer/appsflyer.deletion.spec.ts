import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf, forget } from '../../../test/deletion.fixtures.js';

const config = { apiToken: 'a', androidAppId: 'com.shop', appleAppId: '123' };
const accepted = [{ status: 201 }, { status: 201 }];
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('a deletion at AppsFlyer', () => {
  it('is one erasure request for each app, with a body of its own', async () => {
    const { sent } = await forget('AF', config, [{ userId: 'ada', appsflyer_id: 'af-1' }], accepted);
    const identity = { identity_type: 'appsflyer_id', identity_value: 'af-1', identity_format: 'raw' };
    const common = { subject_request_type: 'erasure', subject_identities: [identity] };
    expect(sent.map(bodyOf)).toEqual([
      expect.objectContaining({ ...common, property_id: 'com.shop' }),
      expect.objectContaining({ ...common, property_id: 'id123' }),
    ]);
    const ids = sent.map((request) => bodyOf(request)['subject_request_id']);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_requests',
      headers: { authorization: 'Bearer a' },
    });
  });

  it.each([
    [{ appsflyer_id: '1', ios_advertising_id: '2' }, ['appsflyer_id 1', 'appsflyer_id 1']],
    [{ ios_advertising_id: '2', android_advertising_id: '3' }, ['android_advertising_id 3', 'ios_advertising_id 2']],
    [{ android_advertising_id: '3' }, ['android_advertising_id 3', 'customer_user_id ada']],
    [{}, ['customer_user_id ada', 'customer_user_id ada']],
  ])('names what each app surely knows of %j', async (more, identities) => {
    const { sent } = await forget('AF', config, [{ userId: 'ada', ...more }], accepted);
    const named = sent.flatMap((request) => bodyOf(request)['subject_identities'] as JsonObject[]);
    expect(named.map((one) => `${one['identity_type']} ${one['identity_value']}`)).toEqual(identities);
  });

  it('has the same request id when it is repeated, and another for another user', async () => {
    const idFor = async (userId: string) =>
      bodyOf((await forget('AF', config, [{ userId }])).sent[0])['subject_request_id'];
    expect(await idFor('ada')).toBe(await idFor('ada'));
    expect(await idFor('bob')).not.toBe(await idFor('ada'));
  });

  it('counts as asked for when a refusal was about a repeated request', async () => {
    const answers = [{ status: 400 }, { status: 200, body: { request_status: 'in_progress' } }];
    const { outcome } = await forget('AF', { ...config, appleAppId: '' }, [{ userId: 'ada' }], answers);
    expect(outcome).toMatchObject({ status: 'forwarded' });
    const refused = await forget('AF', config, [{ userId: 'ada' }], [{ status: 400 }, { status: 404 }]);
    expect(refused.outcome).toMatchObject({ status: 'aborted', reason: 'AppsFlyer answered 400' });
  });

  it('passes up to three callbacks on', async () => {
    const statusCallbackUrls = 'https://a.example/1, https://a.example/2,';
    const { sent } = await forget('AF', { ...config, statusCallbackUrls }, [{ userId: 'ada' }], accepted);
    expect(bodyOf(sent[0])['status_callback_urls']).toEqual(['https://a.example/1', 'https://a.example/2']);
  });

  it.each<[JsonObject, JsonObject, string, string]>([
    [{ apiToken: 'a', appleAppId: '1' }, { userId: 'u', android_advertising_id: '3' }, 'invalid', 'androidAppId'],
    [{ apiToken: 'a' }, { userId: 'u' }, 'invalid', 'androidAppId or appleAppId'],
    [{ ...config, apiToken: '' }, { userId: 'u' }, 'invalid', 'apiToken'],
    [{ ...config, statusCallbackUrls: 'a,b,c,d' }, { userId: 'u' }, 'invalid', 'at most 3'],
    [config, { userId: {} }, 'unsupported', 'AppsFlyer'],
  ])('cannot be made with %j for %j', async (wrong, user, code, text) => {
    await expect(forget('AF', wrong, [user])).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });
});
