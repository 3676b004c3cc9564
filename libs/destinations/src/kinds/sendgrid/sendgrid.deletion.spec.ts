import { describe, expect, it } from '@jest/globals';
import { bodyOf, forget } from '../../../test/deletion.fixtures.js';

const config = { apiKey: 'SG.k' };
const found = (...ids: string[]) => ({
  status: 200,
  body: { result: { ...Object.fromEntries(ids.map((id) => [`of ${id}`, { contact: { id } }])), x: { error: 'none' } } },
});
const users = [{ userId: 'ada', email: 'ada@example.com' }, { userId: 'bob' }];
const API = 'https://api.sendgrid.com/v3/marketing/contacts';

describe('a deletion at SendGrid', () => {
  it('looks the contacts up and deletes them by their own ids, each once', async () => {
    const { outcome, sent } = await forget('SENDGRID', config, users, [
      found('c-1', 'c-2'),
      found('c-1'),
      { status: 202 },
    ]);
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${API}/search/identifiers/external_id`,
      `POST ${API}/search/identifiers/email`,
      `DELETE ${API}?ids=c-1,c-2`,
    ]);
    expect(sent.slice(0, 2).map(bodyOf)).toEqual([
      { identifiers: ['ada', 'bob'] },
      { identifiers: ['ada@example.com'] },
    ]);
    expect(sent[2]?.headers['authorization']).toBe('Bearer SG.k');
    expect(outcome).toEqual({ status: 'forwarded' });
  });

  it('never asks for the deletion of all contacts', async () => {
    const { outcome, sent } = await forget('SENDGRID', config, [{ userId: 'ada' }], [{ status: 404 }]);
    expect(outcome).toEqual({ status: 'complete' });
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
  });

  it('deletes many contacts with several requests', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `c${index}`);
    const { sent } = await forget('SENDGRID', config, [{ userId: 'ada' }], [found(...ids)]);
    const removed = sent.slice(1).map(({ url }) => new URL(url).searchParams.get('ids')?.split(','));
    expect(removed.map((some) => some?.length)).toEqual([100, 100, 50]);
    expect(removed.flat()).toEqual(ids);
  });

  it.each([
    [{ status: 401 }, 'failed'],
    [{ status: 429 }, 'failed'],
    [{ status: 200, body: 'null' }, 'failed'],
    [{ status: 400 }, 'aborted'],
  ])('deletes nothing after %j', async (answer, expected) => {
    const { outcome, sent } = await forget('SENDGRID', config, [{ userId: 'ada' }], [answer]);
    expect([outcome?.status, sent.length]).toEqual([expected, 1]);
  });

  it('needs a key', async () => {
    await expect(forget('SENDGRID', {}, users)).rejects.toMatchObject({ message: 'deletion needs apiKey' });
  });
});
