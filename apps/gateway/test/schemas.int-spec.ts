import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetVersionMetadata,
  ListModels,
  ListVersions,
  notFound,
} from '@weir/contracts';
import { clientOf } from './client.js';
import { ADMIN, useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway();
const { nats } = gateway;
const known = randomUUID();
const requireKnown = (id: string) => {
  if (id !== known) throw notFound('event model');
};
const [model] = ListModels.example.reply.models;
if (!model) throw new Error('the example has one');
const metadata = GetModelMetadata.reply.parse(GetModelMetadata.example.reply);

const models = useStub(nats, ListModels, ({ after }) =>
  after === undefined ? { models: [model], next: 7 } : { models: [{ ...model, ID: 8 }] },
);
const versions = useStub(nats, ListVersions, () => ({ versions: [] }));
useStub(nats, GetModelMetadata, ({ eventId }) => {
  requireKnown(eventId);
  return metadata;
});
useStub(nats, GetVersionMetadata, () => {
  throw new AppError('timeout', 'No answer from The schema service in time');
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
    const missing = await admin().get('/schemas/event-versions?eventid=x');
    expect(missing).toMatchObject({ status: 400, text: '{"msg":"Mandatory field: EventID missing"}' });
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
    expect(await clientOf(gateway, 'bearer').get(path)).toMatchObject(text('Basic auth credentials missing'));
    const wrong = clientOf(gateway, { user: ADMIN.user, password: 'guess' });
    expect(await wrong.get(path)).toMatchObject(text('Invalid admin credentials'));
  });

  it('other methods with 405', async () => {
    const answer = await admin().post('/schemas/event-models', {});
    expect(answer).toMatchObject({ status: 405, body: { msg: expect.any(String) } });
  });
});
