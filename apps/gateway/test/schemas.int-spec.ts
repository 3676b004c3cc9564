import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  DiffVersions,
  FindModelOwner,
  GetJsonSchema,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetSourcePrivacy,
  GetVersionMetadata,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModelDays,
  ListModels,
  ListPiiFlags,
  ListVersions,
  notFound,
  PutSourcePrivacy,
  type SourcePrivacy,
} from '@weir/contracts';
import type { Api } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { ADMIN, useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway();
const { nats } = gateway;
const known = randomUUID();
/** A workspace that is none of these. */
const UNKNOWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const requireKnown = (id: string) => {
  if (id !== known) throw notFound('event model');
};
const [model] = ListModels.example.reply.models;
if (!model) throw new Error('the example has one');
const metadata = GetModelMetadata.reply.parse(GetModelMetadata.example.reply);

/** Whether the schema service limits its lists, which that of the version before does not. */
let isLimiting = true;
const models = useStub(nats, ListModels, ({ after, workspaceId }) => ({
  ...(isLimiting && { workspaceId }),
  ...(after === undefined ? { models: [model], next: 7 } : { models: [{ ...model, ID: 8 }] }),
}));
/** The workspace of the known model. */
let owner: string | undefined;
useStub(nats, FindModelOwner, (id) => ({
  workspaceId: ('eventId' in id ? id.eventId : id.versionId) === known ? owner : undefined,
}));
useStub(nats, GetJsonSchema, ({ eventId }) => {
  requireKnown(eventId);
  return GetJsonSchema.reply.parse(GetJsonSchema.example.reply);
});
const versions = useStub(nats, ListVersions, () => ({ versions: [] }));
useStub(nats, GetModelMetadata, ({ eventId }) => {
  requireKnown(eventId);
  return metadata;
});
useStub(nats, GetVersionMetadata, () => {
  throw new AppError('timeout', 'No answer from the schema service in time');
});
useStub(nats, GetKeyCounts, ({ eventId }) => {
  requireKnown(eventId);
  return { counts: { type: 5, 'properties.price': 3 } };
});
useStub(nats, GetMissingKeys, ({ versionId }) => {
  requireKnown(versionId);
  return { keys: ['properties.price'] };
});

const admin = () => clientOf(gateway, 'admin');

const [schema] = ListJsonSchemas.example.reply.schemas;
if (!schema) throw new Error('the example has one');
useStub(nats, ListJsonSchemas, ({ after }) =>
  after ? { schemas: [{ ...schema, schemaIdentifier: 'bought' }] } : { schemas: [schema], next: 3 },
);
const [keyFact] = ListKeyFacts.example.reply.keys;
if (!keyFact) throw new Error('the example has one');
useStub(nats, ListKeyFacts, ({ eventId, after }) => {
  requireKnown(eventId);
  return after === undefined
    ? { keys: [keyFact], next: keyFact.Key }
    : { keys: [{ ...keyFact, Key: `${after}.cents` }] };
});
useStub(nats, ListPiiFlags, ({ eventId }) => {
  requireKnown(eventId);
  return ListPiiFlags.reply.parse(ListPiiFlags.example.reply);
});
useStub(nats, DiffVersions, ({ versionId }) => {
  requireKnown(versionId);
  return DiffVersions.reply.parse(DiffVersions.example.reply);
});
const drift = useStub(nats, ListDrift, ({ after }) =>
  after === undefined ? { ...ListDrift.reply.parse(ListDrift.example.reply), next: 1 } : { notices: [] },
);
const days = useStub(nats, ListModelDays, ({ after }) =>
  after === undefined ? { ...ListModelDays.reply.parse(ListModelDays.example.reply), next: 1 } : { models: [] },
);
let privacy: SourcePrivacy = { Samples: 'keep', MaskedKeys: [] };
useStub(nats, GetSourcePrivacy, () => privacy);
useStub(nats, PutSourcePrivacy, (request) => {
  privacy = request.privacy;
  return privacy;
});

describe('area D answers', () => {
  it('all models, page by page, as a bare list', async () => {
    const answer = await admin().get('/schemas/event-models?WriteKey=wk');
    expect(answer).toMatchObject({ status: 200, body: [model, { ...model, ID: 8 }] });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(models.requests.slice(-2)).toEqual([{ writeKey: 'wk' }, { writeKey: 'wk', after: 7 }]);
    await admin().get('/schemas/event-models?WriteKey=');
    expect(models.requests.at(-1)).not.toHaveProperty('writeKey');
  });

  it('versions of a model, none for an unknown one', async () => {
    expect(await admin().get(`/schemas/event-versions?EventID=${known}`)).toMatchObject({ status: 200, text: '[]' });
    expect(versions.requests.at(-1)).toEqual({ eventId: known });
    const misspelt = await admin().get('/schemas/event-versions?eventid=x');
    expect(misspelt).toMatchObject({ status: 400, text: expect.stringContaining('eventid is not a parameter') });
    const missing = await admin().get('/schemas/event-versions');
    expect(missing).toMatchObject({ status: 400, text: '{"msg":"Mandatory field: EventID missing"}' });
  });

  it('the first of repeated ids, and ids of any form as unknown ones', async () => {
    await admin().get('/schemas/event-models?WriteKey=first&WriteKey=second');
    expect(models.requests.at(-1)).toMatchObject({ writeKey: 'first' });
    await admin().get(`/schemas/event-versions?EventID=${known}&EventID=x`);
    expect(versions.requests.at(-1)).toEqual({ eventId: known });
    for (const [id, asked] of [
      ['k'.repeat(300), 'k'.repeat(300)],
      ['a%00b', 'a\uFFFDb'],
    ]) {
      expect(await admin().get(`/schemas/event-models?WriteKey=${id}`)).toMatchObject({ status: 200 });
      expect(models.requests.at(-1)).toMatchObject({ writeKey: asked });
      expect(await admin().get(`/schemas/event-versions?EventID=${id}`)).toMatchObject({ status: 200, text: '[]' });
      expect(versions.requests.at(-1)).toEqual({ eventId: asked });
    }
  });

  it('metadata, key counts and missing keys as they are', async () => {
    expect((await admin().get(`/schemas/event-model/${known}/metadata`)).body).toEqual(metadata);
    const counts = await admin().get(`/schemas/event-model/${known}/key-counts`);
    expect(counts.body).toEqual({ type: 5, 'properties.price': 3 });
    expect((await admin().get(`/schemas/event-version/${known}/missing-keys`)).body).toEqual(['properties.price']);
  });

  it.each(['event-model/x/metadata', `event-model/${randomUUID()}/key-counts`, 'event-version/x/missing-keys'])(
    'an unknown id with 404 and msg: %s',
    async (path) => {
      const answer = await admin().get(`/schemas/${path}`);
      expect(answer).toMatchObject({ status: 404, body: { msg: expect.any(String) } });
      expect(Object.keys(answer.body)).toEqual(['msg']);
    },
  );

  it('a service that does not answer with 504', async () => {
    const answer = await admin().get(`/schemas/event-version/${known}/metadata`);
    expect(answer).toMatchObject({ status: 504, body: { msg: expect.any(String) } });
  });

  it('other callers with 400, as the specification wants', async () => {
    const text = (msg: string) => ({ status: 400, text: JSON.stringify({ msg }) });
    const path = '/schemas/event-models';
    expect(await clientOf(gateway, 'nobody').get(path)).toMatchObject(text('Basic auth credentials missing'));
    const wrongKind = (known: string) => ({
      status: 400,
      body: { msg: expect.stringMatching(`^${known}: .*Send the`) },
    });
    expect(await clientOf(gateway, 'bearer').get(path)).toMatchObject(wrongKind('Basic auth credentials missing'));
    const pair = clientOf(gateway, { user: '', password: 'weir_x' });
    expect(await pair.get(path)).toMatchObject(wrongKind('Invalid admin credentials'));
    const wrong = clientOf(gateway, { user: ADMIN.user, password: 'guess' });
    expect(await wrong.get(path)).toMatchObject(text('Invalid admin credentials'));
  });

  it('other methods with 405', async () => {
    const answer = await admin().post('/schemas/event-models', {});
    expect(answer).toMatchObject({ status: 405, body: { msg: expect.any(String) } });
  });
});

describe('area D, beyond the specification,', () => {
  it('answers one page of a list with a link to the next', async () => {
    const first = await admin().get('/schemas/event-models?WriteKey=w%20k&limit=1');
    expect(first).toMatchObject({ status: 200, body: [model] });
    expect(first.headers.get('link')).toBe('</schemas/event-models?WriteKey=w+k&limit=1&after=7>; rel="next"');
    const last = await admin().get('/schemas/event-models?WriteKey=w+k&limit=1&after=7');
    expect(models.requests.at(-1)).toEqual({ writeKey: 'w k', limit: 1, after: 7 });
    expect([last.body, last.headers.get('link')]).toEqual([[{ ...model, ID: 8 }], null]);
    await admin().get(`/schemas/event-versions?EventID=${known}&after=2`);
    expect(versions.requests.at(-1)).toEqual({ eventId: known, after: 2 });
  });

  it.each([
    'event-models?limit=0',
    'event-models?limit=201',
    'event-models?after=-1',
    'event-models?after=x',
    'event-models?limit=1&limit=2',
    `event-versions?EventID=${known}&limit=1.5`,
    'drift?limit=51',
    'drift?Kind=old',
    `event-version/${known}/diff`,
    `event-models/json-schemas?SourceName=${'x'.repeat(257)}`,
  ])('refuses %s with 400 and what to change', async (path) => {
    const answer = await admin().get(`/schemas/${path}`);
    expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringMatching(/must|missing/i) } });
  });

  it('tags its answers, and says when nothing changed', async () => {
    const paths = [
      'event-models?limit=1',
      `event-model/${known}/metadata`,
      `event-model/${known}/pii`,
      'drift',
      'event-models/typescript',
    ];
    for (const path of paths) {
      const first = await admin().get(`/schemas/${path}`);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{16}"$/);
      const again = await admin().get(`/schemas/${path}`, { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await admin().get(`/schemas/${path}`, { headers: { 'if-none-match': '"other"' } })).text).toBe(
        first.text,
      );
    }
    expect((await admin().get('/schemas/event-models')).headers.get('etag')).toBeNull();
  });

  it('answers schemas and types of observed models, page by page', async () => {
    const schemas = await admin().get('/schemas/event-models/json-schemas');
    expect(schemas.body).toEqual([schema, { ...schema, schemaIdentifier: 'bought' }]);
    const types = await admin().get('/schemas/event-models/typescript');
    expect(types.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const declaration = (words: string, name: string) =>
      `/** "${words}" */\nexport type ${name} = {\n  price: number;\n};\n`;
    expect(types.text).toBe(
      `${declaration('track Bought', 'TrackBought')}\n${declaration('track bought', 'TrackBought_2')}`,
    );
  });

  it('answers keys, personal keys, differences and drift', async () => {
    const keys = await admin().get(`/schemas/event-model/${known}/keys`);
    expect(keys.body).toEqual([keyFact, { ...keyFact, Key: `${keyFact.Key}.cents` }]);
    expect((await admin().get(`/schemas/event-model/${known}/pii`)).body).toEqual(ListPiiFlags.example.reply.flags);
    const diff = await admin().get(`/schemas/event-version/${known}/diff?against=${randomUUID()}`);
    expect(diff.body).toEqual(DiffVersions.example.reply);
    const notices = await admin().get(`/schemas/drift?WriteKey=wk&EventID=${known}&Kind=new_type&limit=5`);
    expect(notices.body).toEqual(ListDrift.example.reply.notices);
    expect(notices.headers.get('link')).toContain('&limit=5&after=1>');
    expect(drift.requests.at(-1)).toEqual({ writeKey: 'wk', eventId: known, kind: 'new_type', limit: 5 });
    const newest = await admin().get('/schemas/drift?order=desc');
    expect(newest.headers.get('link')).toContain('/schemas/drift?order=desc&after=1>');
    expect(drift.requests.at(-1)).toEqual({ order: 'desc' });
    expect((await admin().get('/schemas/drift?order=newest')).status).toBe(400);
    for (const path of ['event-model/x/keys', 'event-model/x/pii', 'event-version/x/diff?against=y']) {
      expect(await admin().get(`/schemas/${path}`)).toMatchObject({ status: 404, body: { msg: expect.any(String) } });
    }
  });

  it('counts the events of models by day', async () => {
    expect((await admin().get('/schemas/event-models/days?WriteKey=wk')).body).toEqual(
      ListModelDays.example.reply.models,
    );
    expect(days.requests).toEqual([{ writeKey: 'wk' }, { writeKey: 'wk', after: 1 }]);
  });

  it('keeps what a source wants of its samples', async () => {
    const path = '/schemas/sources/wk/privacy';
    expect((await admin().get(path)).body).toEqual({ Samples: 'keep', MaskedKeys: [] });
    expect(await admin().put(path, { Samples: 'mask' })).toMatchObject({
      status: 200,
      body: { Samples: 'mask', MaskedKeys: [] },
    });
    const wrong = [
      {},
      { Samples: 'some' },
      { Samples: 'off', MaskedKeys: 'all' },
      { Samples: 'mask', MaskedKeys: [''] },
    ];
    for (const body of wrong) {
      expect(await admin().put(path, body)).toMatchObject({ status: 400, body: { msg: expect.any(String) } });
    }
    expect((await admin().get(path)).body).toEqual({ Samples: 'mask', MaskedKeys: [] });
    expect((await clientOf(gateway, 'nobody').put(path, { Samples: 'off' })).status).toBe(400);
  });
});

describe('area D, for a token of a workspace,', () => {
  it('asks the schema service about that workspace alone', async () => {
    const { id, reader } = await newWorkspace(gateway);
    expect((await reader.get('/schemas/event-models?limit=1')).status).toBe(200);
    expect(models.requests.at(-1)).toEqual({ workspaceId: id, limit: 1 });
  });

  it('answers for its own models, and for those of others as for none', async () => {
    const { id, admin } = await newWorkspace(gateway);
    const path = `/schemas/event-models/${known}/json-schema`;
    owner = id;
    expect((await admin.get(path)).body).toEqual(GetJsonSchema.example.reply.schema);
    owner = UNKNOWN;
    const foreign = await admin.get(path);
    expect(foreign).toMatchObject({ status: 404, body: { msg: `Event model ${known} not found` } });
    expect((await admin.get(`/schemas/event-versions?EventID=${known}`)).body).toEqual([]);
  });

  it('shows no list that the schema service did not limit', async () => {
    const { reader } = await newWorkspace(gateway);
    isLimiting = false;
    const answer = await reader.get('/schemas/event-models');
    isLimiting = true;
    expect(answer).toMatchObject({ status: 503, body: { msg: expect.stringContaining('being updated') } });
  });

  it('finds a source by its name, which the operator may have to tell by its write key', async () => {
    const [mine, other] = [await newWorkspace(gateway), await newWorkspace(gateway)];
    const made = (client: Api) => client.post('/v2/sources', { name: 'Twice', type: 'HTTP' });
    const { writeKey } = (await made(mine.admin)).body.source;
    const path = '/schemas/event-models?limit=1&SourceName=Twice';
    await mine.reader.get(path);
    expect(models.requests.at(-1)).toMatchObject({ workspaceId: mine.id, writeKey });
    expect((await other.reader.get(path)).status).toBe(404);
    await admin().get(path);
    expect(models.requests.at(-1)).toEqual({ writeKey, limit: 1 });
    await made(other.admin);
    expect(await admin().get(path)).toMatchObject({ status: 400, body: { msg: expect.stringContaining('WriteKey') } });
  });
});
