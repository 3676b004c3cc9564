import { beforeEach, expect, it } from '@jest/globals';
import { createClient } from '@weir/client';
import { useServer } from '../../test/server.js';
import { ClientWorkspace } from './client-workspace.js';

/** State of the workspace, and the requests that delete. */
let transformation: { id: string; versionId: string; name: string };
let etag: string;
let deleted: (string | undefined)[];
/** Destinations that the server unlinks between the reading of the tag and the request that deletes. */
let unlinked: number;
const url = useServer((request, response) => {
  if (request.method === 'DELETE') deleted.push(request.headers['if-match']);
  const isThere = request.url?.split('?')[0] === `/transformations/${transformation.id}`;
  if (request.method === 'DELETE' && unlinked > 0) etag = `"unlinked ${unlinked--} at ${deleted.length}"`;
  const isStale = request.method === 'DELETE' && request.headers['if-match'] !== etag;
  const there = isStale ? [412, { message: 'Changed' }] : [200, transformation];
  const [status, body] = isThere ? there : [404, { message: 'Not found' }];
  response.writeHead(Number(status), { 'content-type': 'application/json', etag }).end(JSON.stringify(body));
});
beforeEach(() => {
  transformation = { id: 't1', versionId: 'v1', name: 'mask' };
  etag = '"after its destination had gone"';
  deleted = [];
  unlinked = 0;
});
const workspace = () => new ClientWorkspace(createClient({ url: url() }), 't');

it('a transformation is deleted in the revision that is known, with the tag of that moment', async () => {
  await workspace().delete('transformation', { id: 't1', versionId: 'v1' });
  expect(deleted).toEqual(['"after its destination had gone"']);
});

it('a transformation is deleted although destinations are unlinked meanwhile', async () => {
  unlinked = 2;
  await workspace().delete('transformation', { id: 't1', versionId: 'v1' });
  expect(deleted).toEqual(['"after its destination had gone"', '"unlinked 2 at 1"', '"unlinked 1 at 2"']);
});

it('a transformation that changes all the time is refused in the end', async () => {
  unlinked = Number.POSITIVE_INFINITY;
  etag = '"never this"';
  const deleting = workspace().delete('transformation', { id: 't1', versionId: 'v1' });
  await expect(deleting).rejects.toMatchObject({ status: 412 });
  expect(deleted.length).toBeLessThan(20);
});

it('a transformation that somebody has changed stays', async () => {
  await expect(workspace().delete('transformation', { id: 't1', versionId: 'v0' })).rejects.toMatchObject({
    status: 412,
    message: 'Transformation "mask" has changed since it was read',
  });
  expect(deleted).toEqual([]);
});

it('a transformation that has gone already is no failure', async () => {
  await workspace().delete('transformation', { id: 't2', versionId: 'v1' });
  expect(deleted).toEqual([]);
});
