import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  AppError,
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  GetAutoRollback,
  GetLibrary,
  GetLibraryVersion,
  GetSavedTests,
  GetTransformation,
  GetTransformationVersion,
  ListCredentials,
  ListDefinitions,
  ListLibraries,
  ListLibraryUsages,
  ListLibraryVersions,
  ListTransformations,
  ListTransformationVersions,
  nameTaken,
  notFound,
  PublishRelease,
  RollbackTransformation,
  SetAutoRollback,
  SetExternalId,
  SetSavedTests,
  TestRelease,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { newDestination } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
useStub(nats, ListCredentials, () => ({ credentials: [] }));
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

const [transformation] = ListTransformations.reply.parse(ListTransformations.example.reply).transformations;
const [library] = ListLibraries.reply.parse(ListLibraries.example.reply).libraries;
if (!transformation || !library) throw new Error('the examples have one each');
const revision = GetTransformationVersion.reply.parse(GetTransformationVersion.example.reply);
const { id, versionId, code } = transformation;
const other = '0ujsszwN8NRY24YaXiTIE2VWDTS';
const output = { libraries: [], transformations: [] };
const testsFailed = () => new AppError('tests_failed', 'A test failed', { published: false, validationOutput: output });

let publishFails = false;
const create = useStub(nats, CreateTransformation, ({ name }) => {
  if (name === 'taken') throw nameTaken('transformation', id);
  return transformation;
});
const tagged = { ...transformation, etag: 'tag-1' };
const update = useStub(nats, UpdateTransformation, ({ ifMatch }) => {
  if (ifMatch && !ifMatch.includes('tag-1')) throw new AppError('precondition_failed', 'It has changed');
  return tagged;
});
const createLibrary = useStub(nats, CreateLibrary, () => library);
const updateLibrary = useStub(nats, UpdateLibrary, () => library);
const externalId = useStub(nats, SetExternalId, () => ({}));
const versions = useStub(nats, ListTransformationVersions, ({ after }) =>
  after ? { versions: [revision] } : { versions: [revision], next: 'more' },
);
const publish = useStub(nats, PublishRelease, ({ items }) => {
  if (items.transformations.some((item) => item.versionId === other)) throw notFound('version');
  if (publishFails) throw testsFailed();
  return { published: true as const, validationOutput: output };
});
useStub(nats, ListTransformations, ({ after }) =>
  after ? { transformations: [tagged] } : { transformations: [tagged], next: 'more' },
);
useStub(nats, GetTransformation, (request) => {
  if (request.id !== id) throw notFound('transformation');
  return tagged;
});
useStub(nats, GetTransformationVersion, () => ({ ...revision, etag: 'tag-1' }));
useStub(nats, DeleteTransformation, () => ({}));
useStub(nats, ListLibraries, () => ({ libraries: [{ ...library, etag: 'tag-1' }] }));
useStub(nats, GetLibrary, () => library);
useStub(nats, GetLibraryVersion, () => ({ ...library, isPublished: true }));
useStub(nats, ListLibraryVersions, () => ({ versions: [{ ...library, isPublished: true }] }));
const usages = ListLibraryUsages.reply.parse(ListLibraryUsages.example.reply);
useStub(nats, ListLibraryUsages, () => usages);
const rollback = useStub(nats, RollbackTransformation, () => ({ ...tagged, validationOutput: output }));
const trials = GetAutoRollback.reply.parse(GetAutoRollback.example.reply);
useStub(nats, GetAutoRollback, () => trials);
const savedTests = GetSavedTests.reply.parse(GetSavedTests.example.reply);
useStub(nats, GetSavedTests, () => savedTests);
const saving = useStub(nats, SetSavedTests, () => savedTests);
const autoRollback = useStub(nats, SetAutoRollback, ({ errorRate }) => ({ ...trials, errorRate }));
useStub(nats, DeleteLibrary, () => {
  throw new AppError('conflict', 'library is used by transformations Keep all');
});
useStub(nats, TestRelease, () => TestRelease.reply.parse(TestRelease.example.reply));

const client = () => clientOf(gateway);
const refusal = (code: string) => ({ message: expect.any(String), error: expect.any(String), code });

beforeEach(() => {
  publishFails = false;
});

describe('transformations', () => {
  it('are created as the caller, in the workspace of the token', async () => {
    const answer = await client().post('/transformations?publish=TRUE', {
      name: 'T',
      code,
      events: { a: 1 },
      workspaceId: 'x',
    });
    expect(answer).toMatchObject({ status: 200, body: transformation });
    expect(create.requests.at(-1)).toMatchObject({
      ...{ name: 'T', code, publish: true, events: [{ a: 1 }], createdBy: 'owner@example.com' },
      workspaceId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
    });
  });

  it('are created under a unique name if that is asked for, and a refusal tells whose the name is', async () => {
    const body = { name: 'T', code };
    await client().post('/transformations', body);
    expect(create.requests.at(-1)?.uniqueName).toBe(false);
    for (const path of ['/transformations', '/libraries'])
      expect((await client().post(`${path}?uniqueName=true`, body)).status).toBe(200);
    expect([create.requests.at(-1)?.uniqueName, createLibrary.requests.at(-1)?.uniqueName]).toEqual([true, true]);
    const taken = await client().post('/transformations?uniqueName=true', { ...body, name: 'taken' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { existingId: id } } });
    expect((await client().put(`/transformations/${id}?uniqueName=true`, {})).status).toBe(400);
  });

  it('are listed whole, page by page, under their key', async () => {
    const answer = await client().get('/transformations');
    expect(answer).toMatchObject({ status: 200, body: { transformations: [transformation, transformation] } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('are listed with their tags if a caller asks for them', async () => {
    for (const [path, name] of [
      ['/transformations', 'transformations'],
      ['/libraries', 'libraries'],
    ] as const) {
      const [plain, withTags] = [await client().get(path), await client().get(`${path}?etags=true`)];
      expect(plain.body[name][0]).not.toHaveProperty('etag');
      expect(withTags.body[name][0]).toEqual({ ...plain.body[name][0], etag: '"tag-1"' });
    }
    const version = await client().get(`/transformations/${id}/versions/${versionId}`);
    expect([version.headers.get('etag'), version.body]).toEqual(['"tag-1"', revision]);
  });

  it('are updated with POST and PUT alike', async () => {
    for (const verb of ['post', 'put'] as const) {
      const answer = await client()[verb](`/transformations/${id}`, { description: '' });
      expect(answer).toMatchObject({ status: 200, body: { versionId } });
      expect(update.requests.at(-1)).toMatchObject({ id, description: '', publish: false });
    }
  });

  it('carry their tag in a header, and are not sent again to who knows them', async () => {
    const answer = await client().get(`/transformations/${id}`);
    expect([answer.headers.get('etag'), answer.body]).toEqual(['"tag-1"', transformation]);
    const again = await client().get(`/transformations/${id}`, { headers: { 'if-none-match': 'W/"x", "tag-1"' } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', '"tag-1"']);
    const changed = await client().get(`/transformations/${id}`, { headers: { 'if-none-match': '"tag-0"' } });
    expect(changed).toMatchObject({ status: 200, body: transformation });
  });

  it('are changed under a condition, when there is one', async () => {
    const put = (value: string) =>
      client().put(`/transformations/${id}`, { description: 'x' }, { headers: { 'if-match': value } });
    const { status, headers } = await put('"tag-0", "tag-1"');
    expect([status, headers.get('etag')]).toEqual([200, '"tag-1"']);
    expect(update.requests.at(-1)).toMatchObject({ ifMatch: ['tag-0', 'tag-1'] });
    for (const stale of ['"tag-0"', 'W/"tag-1"']) {
      expect(await put(stale)).toMatchObject({ status: 412, body: refusal('PRECONDITION_FAILED') });
    }
    expect(await put('tag-1')).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
    expect((await put('*')).status).toBe(200);
    expect(update.requests.at(-1)).not.toHaveProperty('ifMatch');
  });

  it('have versions under a key of this casing, as many as asked for', async () => {
    const answer = await client().get(`/transformations/${id}/versions?count=60&orderBy=desc`);
    expect(answer.body).toEqual({ TransformationVersions: [revision, revision] });
    expect(versions.requests.at(-1)).toMatchObject({ count: 60, orderBy: 'DESC', after: 'more' });
    expect((await client().get(`/transformations/${id}/versions/${versionId}`)).body).toEqual(revision);
  });

  it('are read and deleted', async () => {
    expect((await client().get(`/transformations/${id}`)).body).toEqual(transformation);
    expect((await client().delete(`/transformations/${id}`)).body).toEqual({ success: true });
    for (const unknown of [other, 'short']) {
      const answer = await client().get(`/transformations/${unknown}`);
      expect(answer).toMatchObject({ status: 404, body: refusal('NOT_FOUND') });
    }
  });

  it('connect destinations of their own workspace only, and only when published', async () => {
    const own = await newDestination(client());
    const foreign = await newDestination((await newWorkspace(gateway)).admin);
    const body = { name: 'T', code };
    const connecting = (path: string, destinationIds: unknown[]) => client().post(path, { ...body, destinationIds });
    expect((await connecting('/transformations?publish=true', [own.id])).status).toBe(200);
    expect(create.requests.at(-1)?.destinationIds).toEqual([own.id]);
    expect((await connecting('/transformations', [])).status).toBe(200);
    const sent = create.requests.length;
    for (const [path, destinationId] of [
      ['/transformations', own.id],
      ['/transformations?publish=true', foreign.id],
      ['/transformations?publish=true', 'none'],
    ] as const) {
      const { status, body } = await connecting(path, [destinationId]);
      expect([status, Object.keys(body.details)]).toEqual([400, ['destinationIds']]);
    }
    expect(create.requests).toHaveLength(sent);
  });

  it.each(['publish=maybe', 'publish=', 'publish=true&publish=true'])('refuse ?%s', async (query) => {
    const answer = await client().post(`/transformations?${query}`, { name: 'T', code });
    expect(answer).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
  });

  it('are not changed by a read-only token', async () => {
    const { reader } = await newWorkspace(gateway);
    expect((await reader.get('/transformations')).status).toBe(200);
    expect(await reader.post('/transformations', { name: 'T', code })).toMatchObject({
      status: 403,
      body: refusal('FORBIDDEN'),
    });
  });
});

describe('a rollback', () => {
  it('names an earlier revision and answers what is live now', async () => {
    const headers = { 'if-match': '"tag-0"' };
    const answer = await client().post(`/transformations/${id}/rollback`, { versionId }, { headers });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"tag-1"']);
    expect(answer.body).toEqual({ ...transformation, validationOutput: output });
    expect(rollback.requests.at(-1)).toMatchObject({
      id,
      versionId,
      ifMatch: ['tag-0'],
      createdBy: 'owner@example.com',
    });
  });

  it.each([
    [{}, 400],
    [{ versionId: 'x' }, 404],
  ])('with %j is refused with %i', async (body, status) => {
    expect((await client().post(`/transformations/${id}/rollback`, body)).status).toBe(status);
  });
});

describe('saved tests', () => {
  const path = `/transformations/${id}/tests`;

  it('are shown, and saved as the caller in the workspace of the token', async () => {
    expect(await client().get(path)).toMatchObject({ status: 200, body: savedTests });
    const tests = [{ name: 'keeps', input: [{ a: 1 }], expectedOutput: [{ a: 1 }] }];
    expect(await client().put(path, { tests })).toMatchObject({ status: 200, body: savedTests });
    const workspaceId = expect.stringMatching(/^[0-9A-Za-z]{27}$/);
    expect(saving.requests.at(-1)).toEqual({ id, tests, workspaceId, by: 'owner@example.com' });
  });

  it.each([
    {},
    { tests: {} },
    { tests: [{ input: {} }] },
    { tests: Array.from({ length: 51 }, () => ({ input: [] })) },
  ])('with %j are refused', async (body) => {
    expect(await client().put(path, body)).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
  });
});

describe('automatic rollback', () => {
  const path = `/transformations/${id}/auto-rollback`;

  it('is shown, and set or turned off in the workspace of the token', async () => {
    expect(await client().get(path)).toMatchObject({ status: 200, body: trials });
    for (const errorRate of [1, 0.001, null]) {
      expect(await client().put(path, { errorRate })).toMatchObject({ status: 200, body: { ...trials, errorRate } });
      const workspaceId = expect.stringMatching(/^[0-9A-Za-z]{27}$/);
      expect(autoRollback.requests.at(-1)).toEqual({ id, errorRate, workspaceId });
    }
  });

  it.each([{}, { errorRate: 0 }, { errorRate: 1.01 }, { errorRate: -1 }, { errorRate: '0.5' }])(
    'with %j is refused',
    async (body) => {
      expect(await client().put(path, body)).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
    },
  );
});

describe('libraries', () => {
  it('say what runs them', async () => {
    expect(await client().get(`/libraries/${id}/usages`)).toMatchObject({ status: 200, body: usages });
  });

  it('show their workspace', async () => {
    const shown = { ...library, workspace: { id: expect.any(String), name: expect.any(String) } };
    expect((await client().post('/libraries?publish=true', { name: 'L', code })).body).toEqual(shown);
    expect(createLibrary.requests.at(-1)).toMatchObject({ name: 'L', publish: true });
    expect((await client().post(`/libraries/${id}`, { code })).body).toEqual(shown);
    expect((await client().put(`/libraries/${id}`, { code })).body).toEqual(shown);
    expect(updateLibrary.requests).toHaveLength(2);
    expect((await client().get(`/libraries/${id}`)).body).toEqual(shown);
    expect((await client().get('/libraries')).body).toEqual({ libraries: [shown] });
    const version = { ...shown, isPublished: true };
    expect((await client().get(`/libraries/${id}/versions`)).body).toEqual({ libraryVersions: [version] });
    expect((await client().get(`/libraries/${id}/versions/${versionId}`)).body).toEqual(version);
  });

  it('that are in use are not deleted', async () => {
    expect(await client().delete(`/libraries/${id}`)).toMatchObject({ status: 409, body: refusal('CONFLICT') });
  });

  it('take an external id, as transformations do', async () => {
    for (const kind of ['transformation', 'library'] as const) {
      const path = kind === 'library' ? 'libraries' : 'transformations';
      const answer = await client().put(`/${path}/${id}/external-id`, { externalId: 'mine' });
      expect(answer).toMatchObject({ status: 200, body: {} });
      expect(externalId.requests.at(-1)).toMatchObject({ kind, id, externalId: 'mine' });
    }
  });
});

const PATHS = ['/transformations/libraries/publish', '/libraries/publish', '/transformations/publish'];

describe('a publish', () => {
  it.each(PATHS)('through %s takes every form of its items', async (path) => {
    const body = {
      transformations: [versionId, { versionId, testInput: '[{"a":1}]' }, { versionId, testInput: [{ a: 1 }] }],
      commitId: 'c0ffee',
    };
    const answer = await client().post(path, body);
    expect(answer).toMatchObject({ status: 200, body: { published: true, validationOutput: output } });
    const testInput = [{ a: 1 }];
    expect(publish.requests.at(-1)).toMatchObject({
      commitId: 'c0ffee',
      items: { transformations: [{ versionId }, { versionId, testInput }, { versionId, testInput }], libraries: [] },
    });
  });

  it.each(PATHS.slice(0, 2))('through %s answers a failed test with 400', async (path) => {
    publishFails = true;
    const answer = await client().post(path, { libraries: [{ versionId }] });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ ...refusal('TESTS_FAILED'), published: false, validationOutput: output });
  });

  it('through /transformations/publish answers a failed test with 200', async () => {
    publishFails = true;
    const answer = await client().post('/transformations/publish', { libraries: [{ versionId }] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ published: false, message: 'A test failed', validationOutput: output });
  });

  it.each(PATHS)('through %s refuses what it cannot publish', async (path) => {
    expect(await client().post(path, {})).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
    const bad = await client().post(path, { transformations: [{ versionId, testInput: 'x' }] });
    expect([bad.status, Object.keys(bad.body.details)]).toEqual([400, ['transformations.0.testInput']]);
    for (const unknown of [other, 'x']) {
      const answer = await client().post(path, { transformations: [{ versionId: unknown }] });
      expect(answer).toMatchObject({ status: 404, body: refusal('NOT_FOUND') });
    }
  });
});

describe('tests without a publish', () => {
  it('answer in the form of either client', async () => {
    const body = { transformations: [{ versionId }], libraries: [] };
    const action = await client().post('/transformations/libraries/test', body);
    expect(action).toMatchObject({ status: 200, body: { result: { successTestResults: [], failedTestResults: [] } } });
    const run = await client().post('/transformations/tests/run', body);
    expect(run).toMatchObject({ status: 200, body: { pass: true, validationOutput: output } });
  });
});
