import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type Api, api, until } from '@weir/testing';
import { KEEP, newTransformation } from './support/code.js';
import { newSource } from './support/inventory.js';
import { EMAIL, made, newToken, newWorkspace, type Workspace } from './support/workspace.js';

interface Entry {
  position: number;
  actor: string;
  action: string;
  previousHash: string;
  hash: string;
}

let own: Workspace;
let privacy: Api;
/** The same token at area D, which takes HTTP Basic. */
let auditor: Api;
beforeAll(async () => {
  own = await newWorkspace();
  const token = await newToken(own.id, 'privacy');
  privacy = api(sharedStack(), { token });
  auditor = api(sharedStack(), { user: EMAIL, password: token });
});

const exported = async (): Promise<Entry[]> => {
  const { text } = await privacy.get('/v2/audit/export');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]));
};

describe('the audit trail', () => {
  it('has what people did to code, inventory, tokens and users in one chain, without secrets and users', async () => {
    const source = await newSource(own.writer);
    const { versionId } = await newTransformation(own.writer, KEEP, {});
    made(await own.writer.post('/transformations/libraries/publish', { transformations: [{ versionId }] }));
    const user = 'ada.of.the.audit@example.com';
    const body = { regulationType: 'suppress', users: [{ userId: user, email: user }] };
    made(await own.writer.post('/v2/regulations', body), 201);
    const token = await newToken(own.id, 'read');
    const path = `/schemas/sources/${source.writeKey}/privacy`;
    made(await auditor.put(path, { Samples: 'mask', MaskedKeys: ['traits.plate'] }));

    // each service hands its acts over by itself, so the trail moves until it has every act of this test
    const tokens = Array(5).fill('access_token.created');
    const acts = [
      ...[...tokens, 'code.published', 'code.published', 'regulation.created', 'source.created'],
      ...['source.privacy_changed', 'workspace.created'],
    ];
    const entries = await until('all acts', async () => {
      const all = await exported();
      return all.length >= acts.length && all;
    });
    expect(entries.map(({ action }) => action).sort()).toEqual(acts);
    for (const [index, { position, previousHash }] of entries.entries()) {
      expect(position).toBe(index + 1);
      expect(previousHash).toBe(entries[index - 1]?.hash ?? '0'.repeat(64));
    }
    const text = JSON.stringify(entries);
    for (const secret of [user, source.writeKey, token]) expect(text).not.toContain(secret);
    expect(made(await privacy.get('/v2/audit')).data).toEqual(entries);
  });

  it('is for the roles admin and privacy, and their own workspace', async () => {
    for (const client of [own.writer, own.reader]) expect((await client.get('/v2/audit')).status).toBe(403);
    const other = await newWorkspace();
    expect((await other.admin.get('/v2/audit')).text).not.toContain(own.id);
    expect((await other.admin.get('/v2/audit/export')).status).toBe(200);
  });
});
