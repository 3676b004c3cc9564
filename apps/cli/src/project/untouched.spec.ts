import { beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@weir/client';
import { useServer } from '../../test/server.js';
import { ClientWorkspace } from './client-workspace.js';

/** State of the workspace by path. Without one, there is no such object. */
let stored: Record<string, object>;
let changes: string[];
const url = useServer((request, response) => {
  const path = String(request.url);
  if (request.method !== 'GET') changes.push(`${request.method} ${path}`);
  const isThere = request.method !== 'GET' || stored[path] !== undefined;
  response
    .writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify(stored[path] ?? { message: 'none' }));
});
beforeEach(() => {
  changes = [];
  stored = {
    '/v2/credentials/maps': { credential: { key: 'maps', updatedAt: 'now' } },
    '/v2/destinations/d/transformation': { transformationId: 't1' },
    '/schemas/sources/wk/privacy': { Samples: 'off', MaskedKeys: ['a'] },
  };
});
const workspace = () => new ClientWorkspace(createClient({ url: url() }), 't');
const secret = { value: 'v', isSecret: true };
const off = { samples: 'off' as const, maskedKeys: ['a'] };

const CHANGES: [string, string, () => Promise<void>, () => Promise<void>][] = [
  [
    'a credential is written',
    'PUT /v2/credentials/maps',
    () => workspace().putCredential('maps', secret, { id: 'maps', etag: 'now' }),
    () => workspace().putCredential('maps', secret, { id: 'maps', etag: 'before' }),
  ],
  [
    'a credential is made',
    'PUT /v2/credentials/new',
    () => workspace().putCredential('new', secret),
    () => workspace().putCredential('maps', secret),
  ],
  [
    'a credential is deleted',
    'DELETE /v2/credentials/maps',
    () => workspace().delete('credential', { id: 'maps', etag: 'now' }),
    () => workspace().delete('credential', { id: 'maps', etag: 'before' }),
  ],
  [
    'privacy is changed',
    'PUT /schemas/sources/wk/privacy',
    () => workspace().putPrivacy('wk', { samples: 'keep', maskedKeys: [] }, off),
    () => workspace().putPrivacy('wk', { samples: 'keep', maskedKeys: [] }, { ...off, maskedKeys: [] }),
  ],
  [
    'a transformation is linked',
    'PUT /v2/destinations/d/transformation',
    () => workspace().link('d', 't2', 't1'),
    () => workspace().link('d', 't2', 't0'),
  ],
  [
    'a transformation is unlinked',
    'DELETE /v2/destinations/d/transformation',
    () => workspace().unlink('d', 't1'),
    () => workspace().unlink('d', 't0'),
  ],
];

describe.each(CHANGES)('%s', (_, request, change, late) => {
  it('if it is as it was read', async () => {
    await change();
    expect(changes).toEqual([request]);
  });

  it('and not if somebody has changed it since', async () => {
    await expect(late()).rejects.toMatchObject({ status: 412, message: expect.stringContaining('since it was read') });
    expect(changes).toEqual([]);
  });
});

it('what a killed run did late is no change of somebody else', async () => {
  await workspace().link('d', 't1', undefined);
  await workspace().unlink('elsewhere', 't1');
  await workspace().delete('credential', { id: 'gone', etag: 'now' });
  expect(changes.slice(0, 2)).toEqual([
    'PUT /v2/destinations/d/transformation',
    'DELETE /v2/destinations/elsewhere/transformation',
  ]);
});
