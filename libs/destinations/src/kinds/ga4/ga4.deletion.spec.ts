import { generateKeyPairSync, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf, forget } from '../../../test/deletion.fixtures.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const private_key = privateKey.export({ format: 'pem', type: 'pkcs8' });
const granted = { status: 200, body: { access_token: 'ya29', expires_in: 3_599 } };
const URL_OF_7 = 'https://analyticsadmin.googleapis.com/v1alpha/properties/7:submitUserDeletion';

let account = 0;
let config: JsonObject;
beforeEach(() => {
  account += 1;
  const file = {
    client_email: `weir-${account}@shop.iam.gserviceaccount.com`,
    private_key,
    token_uri: 'https://evil.example',
  };
  config = { propertyId: '7', serviceAccountKey: JSON.stringify(file) };
});

describe('a deletion at Google Analytics 4', () => {
  it('is one request for each identifier, in the form that Google wants', async () => {
    const user = { userId: 'ada', clientId: '1.2', email: 'A.da@Gmail.com', phone: '+49 (30) 123' };
    const { outcome, sent } = await forget('GA4', { ...config, propertyId: 'properties/7' }, [user], [granted]);
    const [, ...requests] = sent;
    expect(requests.map(bodyOf)).toEqual([
      { userId: 'ada' },
      { clientId: '1.2' },
      { userProvidedData: 'ada@gmail.com' },
      { userProvidedData: '+4930123' },
    ]);
    for (const request of requests) {
      expect(request).toMatchObject({ method: 'POST', url: URL_OF_7, headers: { authorization: 'Bearer ya29' } });
    }
    expect(outcome).toEqual({ status: 'forwarded' });
  });

  it.each([
    ['Ada.K@Shop.Example ', 'ada.k@shop.example'],
    ['a.d.a@googlemail.com', 'ada@googlemail.com'],
    ['nobody', 'nobody'],
  ])('names %j as %s', async (email, userProvidedData) => {
    const { sent } = await forget('GA4', config, [{ email }], [granted]);
    expect(bodyOf(sent[1])).toEqual({ userProvidedData });
  });

  it.each([
    { status: 200, body: 'no JSON' },
    { status: 200, body: {} },
  ])('needs a token in %j', async (answer) => {
    expect((await forget('GA4', config, [{ userId: 'ada' }], [answer])).outcome).toMatchObject({ status: 'failed' });
  });

  it('is authorized by an assertion that the service account signed, sent to Google only', async () => {
    const { sent } = await forget('GA4', config, [{ userId: 'ada' }], [granted]);
    expect(sent[0]?.url).toBe('https://oauth2.googleapis.com/token');
    const form = new URLSearchParams(sent[0]?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: expect.stringMatching(/^weir-/),
      scope: 'https://www.googleapis.com/auth/analytics.edit',
      aud: 'https://oauth2.googleapis.com/token',
    });
  });

  it('uses a token again', async () => {
    await forget('GA4', config, [{ userId: 'ada' }], [granted]);
    const { sent } = await forget('GA4', config, [{ userId: 'bob' }]);
    expect(sent.map(({ url }) => url)).toEqual([URL_OF_7]);
  });

  it('is tried again when the service account gets no token, without telling why Google refused', async () => {
    const refused = { status: 401, body: { error: 'invalid_grant', error_description: 'weir@…' } };
    const { outcome, sent } = await forget('GA4', config, [{ userId: 'ada' }], [refused]);
    expect(outcome).toEqual({ status: 'failed', reason: 'Google gave no access token to the service account (401)' });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [{ propertyId: 'G-123' }, 'propertyId must be the number of a property'],
    [{ propertyId: '' }, 'deletion needs propertyId'],
    [{ serviceAccountKey: 'key' }, 'serviceAccountKey must be the JSON key file of a service account'],
    [{ serviceAccountKey: '{}' }, 'serviceAccountKey must be the JSON key file of a service account'],
    [
      { serviceAccountKey: JSON.stringify({ client_email: 'a', private_key: 'hush' }) },
      'serviceAccountKey holds no private key that can be read',
    ],
  ])('needs more than %j', async (wrong, message) => {
    await expect(forget('GA4', { ...config, ...wrong }, [{ userId: 'ada' }], [granted])).rejects.toMatchObject({
      ...{ code: 'invalid', message },
    });
  });
});
