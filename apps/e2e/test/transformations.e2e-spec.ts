import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName, until, within } from '@weir/testing';
import { KEEP, marking, newTransformation, THROW } from './support/code.js';
import { delivered, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { expectRefusal, KSUID, TIME } from './support/matchers.js';
import { made, newWorkspace, UNKNOWN_ID, type Workspace } from './support/workspace.js';

/** Five times the second in which a publish is live (architecture section 7). A delivery that shows it is part of it. */
const LIVE_MS = 5_000;

const DRAFT = { publish: false };

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const get = (id: string) => own.reader.get(`/transformations/${id}`);
const update = async (id: string, body: object, publish = false) =>
  made(await own.writer.post(`/transformations/${id}`, body, { query: { publish } }));
const versionsOf = async (id: string, query: Record<string, string | number> = {}) =>
  made(await own.reader.get(`/transformations/${id}/versions`, { query })).TransformationVersions;
const isListed = async (id: string) =>
  made(await own.reader.get('/transformations')).transformations.some((one: { id: string }) => one.id === id);

describe('creating a transformation', () => {
  it('with publish=true answers it with every field, live and listed, beside one revision', async () => {
    const body = { name: uniqueName('masking'), code: KEEP, description: 'Hides what is secret' };
    const made_ = made(await own.writer.post('/transformations', body, { query: { publish: true } }));
    expect(made_).toMatchObject({
      ...body,
      id: KSUID,
      versionId: KSUID,
      codeVersion: '1',
      language: 'javascript',
      imports: [],
      workspaceId: own.id,
      destinations: [],
      createdAt: TIME,
      updatedAt: TIME,
    });
    expect(made_.id).not.toBe(made_.versionId);
    expect(made(await get(made_.id))).toEqual(made_);
    expect(await isListed(made_.id)).toBe(true);
    const versions = await versionsOf(made_.id);
    expect(versions).toHaveLength(1);
    expect(versions[0]).toMatchObject({ id: made_.id, versionId: made_.versionId, isPublished: true, code: KEEP });
  });

  it('makes only a revision by default', async () => {
    const body = { name: uniqueName('draft'), code: KEEP };
    const draft = made(await own.writer.post('/transformations', body));
    expect(draft).toMatchObject({ ...body, description: '', codeVersion: '1', destinations: [] });
    expectRefusal(await get(draft.id), 404, /transformation not found/);
    expect(await isListed(draft.id)).toBe(false);
    expect(await versionsOf(draft.id)).toMatchObject([{ versionId: draft.versionId, isPublished: false }]);
  });

  it('with destinationIds connects, when it is published', async () => {
    const { id } = await newWebhook(own.writer, `${hook.url}/connected`);
    const connected = await newTransformation(own.writer, KEEP, { destinationIds: [id] });
    expect(connected.destinations).toEqual([id]);
    const link = made(await own.reader.get(`/v2/destinations/${id}/transformation`));
    expect(link).toMatchObject({ destinationId: id, transformationId: connected.id });
  });

  it('with destinationIds and without publish is refused with 400, and stores nothing', async () => {
    const tenant = await newWorkspace();
    const { id } = await newWebhook(tenant.writer, `${hook.url}/x`);
    const body = { name: uniqueName('t'), code: KEEP, destinationIds: [id] };
    expectRefusal(await tenant.writer.post('/transformations', body), 400, /destinationIds/);
    expectRefusal(await tenant.reader.get(`/v2/destinations/${id}/transformation`), 404);
    made(await tenant.writer.post('/transformations', { ...body, destinationIds: [] }));
  });

  it('with an unknown destination is refused with 400, and publishes nothing', async () => {
    const tenant = await newWorkspace();
    const body = { name: uniqueName('t'), code: KEEP, destinationIds: [UNKNOWN_ID] };
    expectRefusal(
      await tenant.writer.post('/transformations', body, { query: { publish: true } }),
      400,
      /destinationIds/,
    );
    expect(made(await tenant.reader.get('/transformations'))).toEqual({ transformations: [] });
  });

  const bad: [string, object][] = [
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['name', { name: 7 }],
    ['code', { code: undefined }],
    ['code', { code: '' }],
    ['code', { code: ['x'] }],
    ['description', { description: {} }],
    ['events', { events: 'none' }],
    ['destinationIds', { destinationIds: 'none' }],
    ['language', { language: 'cobol' }],
  ];
  it.each(bad)('with a bad %s is refused with 400: %j', async (field, fields) => {
    const answer = await own.writer.post('/transformations', { name: uniqueName('t'), code: KEEP, ...fields });
    expectRefusal(answer, 400, new RegExp(field));
  });

  it.each(['yes', '1', ''])('with publish=%s is refused with 400', async (publish) => {
    const body = { name: uniqueName('t'), code: KEEP };
    expectRefusal(await own.writer.post('/transformations', body, { query: { publish } }), 400, /publish/);
  });

  it('runs the code with events, one or a list, even as a draft', async () => {
    const code = "export function transformEvent(event) { if (event.bad) throw new Error('bad one'); return event; }";
    const create = (events: object) => own.writer.post('/transformations', { name: uniqueName('t'), code, events });
    made(await create({ good: true }));
    made(await create([{ good: true }, { good: 2 }]));
    expectRefusal(await create({ bad: true }), 400, /./, 'TESTS_FAILED');
    const answer = await create([{ good: true }, { bad: true }]);
    expectRefusal(answer, 400, /./, 'TESTS_FAILED');
    expect(JSON.stringify(answer.body)).toContain('bad one');
  });

  it.each([
    ['code that throws', THROW],
    ['no entry point', 'export const x = 1;'],
    ['both entry points', `${KEEP} export function transformBatch(events) { return events; }`],
    ['an import that is none', `import { f } from 'nothing'; ${KEEP}`],
  ])('does not publish %s, and stores nothing', async (_, code) => {
    const tenant = await newWorkspace();
    const answer = await tenant.writer.post('/transformations', { name: 't', code }, { query: { publish: true } });
    expectRefusal(answer, 400, /./, 'TESTS_FAILED');
    expect(made(await tenant.reader.get('/transformations'))).toEqual({ transformations: [] });
  });
});

describe('updating a transformation', () => {
  it('makes a new revision and leaves what is published', async () => {
    const published = await newTransformation(own.writer);
    const changed = await update(published.id, { description: 'new' });
    expect(changed).toMatchObject({ id: published.id, name: published.name, code: KEEP, description: 'new' });
    expect(changed.versionId).not.toBe(published.versionId);
    expect(made(await get(published.id))).toEqual(published);
    const flags = (await versionsOf(published.id)).map((one: Record<string, unknown>) => [
      one['versionId'],
      one['isPublished'],
    ]);
    expect(flags).toEqual([
      [published.versionId, true],
      [changed.versionId, false],
    ]);
  });

  it('with publish=true makes the new revision live and keeps the old one', async () => {
    const published = await newTransformation(own.writer);
    const changed = await update(published.id, { code: marking('second'), name: 'Renamed' }, true);
    const now = made(await get(published.id));
    expect(now).toMatchObject({ name: 'Renamed', code: marking('second'), versionId: changed.versionId });
    expect(now.createdAt).toBe(published.createdAt);
    const old = await own.reader.get(`/transformations/${published.id}/versions/${published.versionId}`);
    expect(made(old)).toMatchObject({ code: KEEP, isPublished: false, versionId: published.versionId });
  });

  it('keeps what is left out, clears an empty description and does not change the language', async () => {
    const published = await newTransformation(own.writer, KEEP, { description: 'before' });
    expect((await update(published.id, { name: 'Other' })).description).toBe('before');
    expect(await update(published.id, { description: '' })).toMatchObject({ name: 'Other', description: '' });
    const answer = await own.writer.post(`/transformations/${published.id}`, { language: 'pythonfaas' });
    expectRefusal(answer, 400, /language/);
  });

  it('that fails its tests is refused with 400 and changes nothing', async () => {
    const published = await newTransformation(own.writer);
    const path = `/transformations/${published.id}`;
    expectRefusal(await own.writer.post(path, { code: THROW }, { query: { publish: true } }), 400, /./, 'TESTS_FAILED');
    expectRefusal(await own.writer.post(path, { code: THROW, events: [{}] }), 400, /./, 'TESTS_FAILED');
    expect(made(await get(published.id))).toEqual(published);
    expect(await versionsOf(published.id)).toHaveLength(1);
  });

  it('of an unknown one is 404', async () => {
    expectRefusal(
      await own.writer.post(`/transformations/${UNKNOWN_ID}`, { name: 'n' }),
      404,
      /transformation not found/,
    );
    expectRefusal(await own.writer.post('/transformations/short', { name: 'n' }), 404);
  });

  it('is live for traffic within a second', async () => {
    const [source, destination] = [await newSource(own.writer), await newWebhook(own.writer, `${hook.url}/live`)];
    await connect(own.writer, source, destination);
    const published = await newTransformation(own.writer, marking('one'), { destinationIds: [destination.id] });
    await within(LIVE_MS, async () => {
      const mark = uniqueName('two').replace(' ', '_');
      await update(published.id, { code: marking(mark) }, true);
      await until('the second version', () => isTransformedBy(source, mark));
    });
    await update(published.id, { code: marking('three') });
    expect(await isTransformedBy(source, 'three')).toBe(false);
  });
});

async function isTransformedBy(source: Source, key: string): Promise<boolean> {
  const messageId = uniqueName('event');
  await sendEvent(source, 'track', { userId: 'u', event: 'e', messageId });
  return key in (await delivered(hook, '/live', messageId)).json;
}

describe('deleting a transformation', () => {
  it('unpublishes it, removes its links and keeps its revisions', async () => {
    const destination = await newWebhook(own.writer, `${hook.url}/x`);
    const published = await newTransformation(own.writer, KEEP, { destinationIds: [destination.id] });
    const path = `/transformations/${published.id}`;
    expect(made(await own.writer.delete(path))).toEqual({ success: true });
    expectRefusal(await get(published.id), 404);
    expect(await isListed(published.id)).toBe(false);
    expectRefusal(await own.reader.get(`/v2/destinations/${destination.id}/transformation`), 404);
    expect(await versionsOf(published.id)).toMatchObject([{ versionId: published.versionId, isPublished: false }]);
    expect(made(await own.reader.get(`${path}/versions/${published.versionId}`)).code).toBe(KEEP);
  });

  it('a second time, or a draft, or an unknown one is 404', async () => {
    const published = await newTransformation(own.writer);
    made(await own.writer.delete(`/transformations/${published.id}`));
    const draft = await newTransformation(own.writer, KEEP, {}, DRAFT);
    for (const id of [published.id, draft.id, UNKNOWN_ID]) {
      expectRefusal(await own.writer.delete(`/transformations/${id}`), 404);
    }
  });
});

describe('the versions of a transformation', () => {
  let id: string;
  let versionIds: string[];
  beforeAll(async () => {
    const first = await newTransformation(own.writer);
    id = first.id;
    versionIds = [first.versionId];
    for (const n of [2, 3, 4, 5, 6, 7]) versionIds.push((await update(id, { description: `${n}` })).versionId);
  });
  const ids = async (query: Record<string, string | number>) =>
    (await versionsOf(id, query)).map(({ versionId }: { versionId: string }) => versionId);

  it('are the first five, oldest first, by default', async () => {
    expect(await ids({})).toEqual(versionIds.slice(0, 5));
  });

  it('are as many as count says, in the order that orderBy says, in any case', async () => {
    expect(await ids({ count: 2 })).toEqual(versionIds.slice(0, 2));
    expect(await ids({ count: 3, orderBy: 'DESC' })).toEqual(versionIds.toReversed().slice(0, 3));
    expect(await ids({ count: 100, orderBy: 'asc' })).toEqual(versionIds);
    expect(await ids({ orderBy: 'desc' })).toEqual(versionIds.toReversed().slice(0, 5));
  });

  it.each([{ count: 0 }, { count: -1 }, { count: 'x' }, { count: 1.5 }, { orderBy: 'up' }])(
    'are refused with 400 for %j',
    async (query) => {
      const answer = await own.reader.get(`/transformations/${id}/versions`, {
        query: query as Record<string, string>,
      });
      expectRefusal(answer, 400, new RegExp(Object.keys(query)[0] ?? ''));
    },
  );

  it('are read one by one, with every field', async () => {
    const version = made(await own.reader.get(`/transformations/${id}/versions/${versionIds[1]}`));
    expect(version).toMatchObject({
      ...{ id, versionId: versionIds[1], description: '2', code: KEEP, codeVersion: '1', isPublished: false },
      ...{ createdAt: TIME, updatedAt: TIME, workspaceId: own.id, imports: [] },
    });
  });

  it('are 404 for unknown ids, and for a version of another transformation', async () => {
    const other = await newTransformation(own.writer);
    expectRefusal(await own.reader.get(`/transformations/${UNKNOWN_ID}/versions`), 404);
    expectRefusal(await own.reader.get(`/transformations/${id}/versions/${UNKNOWN_ID}`), 404, /version not found/);
    expectRefusal(await own.reader.get(`/transformations/${id}/versions/${other.versionId}`), 404, /version not found/);
  });
});

describe('an external id', () => {
  it('is given at creation or later, and shown', async () => {
    const named = await newTransformation(own.writer, KEEP, { externalId: uniqueName('outside') });
    expect(named.externalId).toMatch(/^outside/);
    const externalId = uniqueName('later');
    const answer = await own.writer.put(`/transformations/${named.id}/external-id`, { externalId });
    expect(made(answer)).toEqual({});
    expect(made(await get(named.id)).externalId).toBe(externalId);
    expectRefusal(await own.writer.put(`/transformations/${UNKNOWN_ID}/external-id`, { externalId: 'x' }), 404);
  });
});
