import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { bodyOf, forget } from '../../../test/deletion.fixtures.js';

const config = { emersysUsername: 'shop001', emersysUserSecret: 'hush' };
const users = [
  { userId: 'ada', email: 'ada@example.com' },
  { userId: 'bob', email: 'bob@example.com' },
];
const byId = {
  ...config,
  emersysCustomIdentifier: '4711',
  fieldMapping: [
    { rudderProperty: 'email', emersysProperty: '3' },
    { rudderProperty: 'userId', emersysProperty: 4711 },
  ],
};

describe('a deletion at Emarsys', () => {
  it('is by email address unless another field identifies contacts', async () => {
    const { outcome, sent } = await forget('EMARSYS', config, users);
    expect(sent[0]).toMatchObject({ method: 'POST', url: 'https://api.emarsys.net/api/v2/contact/delete' });
    expect(bodyOf(sent[0])).toEqual({ key_id: '3', 3: ['ada@example.com', 'bob@example.com'] });
    expect(outcome).toEqual({ status: 'complete' });
    expect(bodyOf((await forget('EMARSYS', byId, users)).sent[0])).toEqual({ key_id: '4711', 4711: ['ada', 'bob'] });
  });

  it('is signed with a digest of nonce, time and secret', async () => {
    const { sent } = await forget('EMARSYS', config, users);
    const header = sent[0]?.headers['x-wsse'] ?? '';
    const [, user, digest, nonce, created] =
      /^UsernameToken Username="(.+)", PasswordDigest="(.+)", Nonce="(.+)", Created="(.+)"$/.exec(header) ?? [];
    const expected = createHash('sha1').update(`${nonce}${created}hush`).digest('hex');
    expect([user, digest]).toEqual(['shop001', Buffer.from(expected).toString('base64')]);
    expect(header).not.toContain('hush');
  });

  it.each([
    [200, { replyCode: 0, data: { errors: { 'bob@example.com': { 2008: 'No contact found' } } } }, 'complete'],
    [200, { replyCode: 0, data: { errors: [] } }, 'complete'],
    [200, { replyCode: 0, data: { errors: { 'bob@example.com': { 2010: 'Several contacts' } } } }, 'aborted'],
    [400, { replyCode: 2008, replyText: 'No contact found' }, 'complete'],
    [400, { replyCode: 2004, replyText: 'Invalid key field id' }, 'aborted'],
    [401, {}, 'failed'],
  ])('that is answered with %d %j is %s', async (status, body, expected) => {
    expect((await forget('EMARSYS', config, users, [{ status, body }])).outcome?.status).toBe(expected);
  });

  it('asks nothing when a user lacks the identifier', async () => {
    const { outcome, sent } = await forget('EMARSYS', config, [...users, { userId: 'eve' }]);
    expect(outcome).toMatchObject({ status: 'aborted', reason: expect.stringContaining('email'), tryAlone: true });
    expect(sent).toEqual([]);
  });

  it.each([
    [{ emersysUserSecret: 'x' }, 'deletion needs emersysUsername'],
    [{ emersysUsername: 'x' }, 'deletion needs emersysUserSecret'],
    [{ ...config, emersysCustomIdentifier: '9' }, 'fieldMapping must name the property for emersysCustomIdentifier'],
  ])('needs more than %j', async (wrong, message) => {
    await expect(forget('EMARSYS', wrong, users)).rejects.toMatchObject({ code: 'invalid', message });
  });
});
