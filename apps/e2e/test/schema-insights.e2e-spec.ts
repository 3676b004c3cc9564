import { beforeAll, describe, expect, it } from '@jest/globals';
import { sendEvent } from './support/inventory.js';
import { expectMsg } from './support/matchers.js';
import { counted, get, trackedModel, versionsOf } from './support/schemas.js';
import { newWorkspace, operator, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const seats = [{ seat: 1, row: 'A' }, { seat: 2, row: 'B' }, { seat: 3 }, { seat: 'four', tags: ['x', 'y'] }];
const seatModel = () =>
  trackedModel(
    own,
    seats.map((properties) => ({ properties })),
  );

describe('lists', () => {
  it('come page by page when asked to, and 304 while a page is the same', async () => {
    const { model } = await seatModel();
    const path = `/schemas/event-versions?EventID=${model.EventID}&limit=2`;
    const first = await operator().get(path);
    expect(first.body).toHaveLength(2);
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const last = await operator().get(next);
    expect([...first.body, ...last.body]).toEqual(await versionsOf(model));
    expect(last.headers.get('link')).toBeNull();

    const again = await operator().get(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('without limit are whole, without link or tag', async () => {
    const { model } = await seatModel();
    const answer = await operator().get(`/schemas/event-versions?EventID=${model.EventID}`);
    expect([answer.headers.get('link'), answer.headers.get('etag')]).toEqual([null, null]);
  });
});

describe('what events have looked like', () => {
  it('is a JSON Schema of each model', async () => {
    const { source, model } = await seatModel();
    const schemas = await get('/schemas/event-models/json-schemas', { WriteKey: source.writeKey });
    expect(schemas).toEqual([
      {
        eventId: model.EventID,
        writeKey: source.writeKey,
        schemaType: 'track',
        schemaIdentifier: 'Ordered',
        schema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          $comment: expect.stringMatching(/^Observed in 4 events\. 100 make sure /),
          type: 'object',
          properties: {
            row: { type: 'string' },
            seat: { type: expect.arrayContaining(['number', 'string']) },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    ]);
    expect(await get(`/schemas/event-models/${model.EventID}/json-schema`)).toEqual(schemas[0].schema);
    expect(await get('/schemas/event-models/json-schemas', { SourceName: source.name })).toEqual(schemas);
  });

  it('is a TypeScript type of each model', async () => {
    const { source } = await seatModel();
    const answer = await operator().get('/schemas/event-models/typescript', { query: { WriteKey: source.writeKey } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.text).toMatch(/export type TrackOrdered = \{\n(?: {2}\w+\??: .+;\n){3}\};/);
  });
});

describe('a key', () => {
  it('has shares of events and of types, and times', async () => {
    const { model } = await seatModel();
    const keys = await get(`/schemas/event-model/${model.EventID}/keys`);
    const seat = keys.find(({ Key }: { Key: string }) => Key === 'properties.seat');
    expect(seat).toEqual({
      Key: 'properties.seat',
      Events: 4,
      Share: 1,
      Types: [
        { Type: 'float64', Events: 3, Share: 0.75 },
        { Type: 'string', Events: 1, Share: 0.25 },
      ],
      FirstSeen: model.CreatedAt,
      LastSeen: model.LastSeen,
    });
  });
});

describe('a difference of versions', () => {
  it('says what came, went and changed, and whether that breaks a reader', async () => {
    const { model } = await seatModel();
    const versions = await versionsOf(model);
    const withRow = versions.find(({ Schema }) => 'properties.row' in Schema)?.VersionID ?? '';
    const withTags = versions.find(({ Schema }) => 'properties.tags.0' in Schema)?.VersionID ?? '';
    expect(await get(`/schemas/event-version/${withTags}/diff`, { against: withRow })).toEqual({
      VersionID: withTags,
      Against: withRow,
      Compatibility: 'breaking',
      Added: [
        { Key: 'properties.tags.0', Types: 'string' },
        { Key: 'properties.tags.1', Types: 'string' },
      ],
      Removed: [{ Key: 'properties.row', Types: 'string' }],
      Changed: [{ Key: 'properties.seat', From: 'float64', To: 'string' }],
      Complete: true,
    });
    expectMsg(await operator().get(`/schemas/event-version/${withTags}/diff`), 400, 'Mandatory field: against missing');
    expectMsg(await operator().get(`/schemas/event-version/${UNKNOWN_UUID}/diff?against=${withRow}`), 404);
  });
});

describe('drift', () => {
  it('is told once a model has a new version or a key a new type', async () => {
    const { model, source } = await trackedModel(own, [{ properties: { seat: 1 } }]);
    expect(await get('/schemas/drift', { WriteKey: source.writeKey })).toEqual([]);
    await sendEvent(source, 'track', { event: 'Ordered', userId: 'u', properties: { seat: 'one', row: 'A' } });
    await counted(source, 2);
    const about = { EventID: model.EventID, WriteKey: source.writeKey, EventType: 'track', EventIdentifier: 'Ordered' };
    expect(await get('/schemas/drift', { WriteKey: source.writeKey })).toMatchObject([
      { ...about, Kind: 'new_version', Keys: ['properties.row'] },
      { ...about, Kind: 'new_type', Keys: ['properties.seat'], TypesBefore: 'float64', TypesAfter: 'float64,string' },
    ]);
  });
});

describe('samples', () => {
  it('are masked or not kept when their source wants it', async () => {
    const properties = { email: 'ada@example.com', plate: 'B-AD 1815', plan: 'free' };
    const { model, source } = await trackedModel(own, [
      { userId: 'ada', properties },
      { userId: 'bob', properties },
    ]);
    const shown = async () => {
      const { SampledEvents, FrequentValues } = await get(`/schemas/event-model/${model.EventID}/metadata`);
      return [SampledEvents[0]?.properties, Object.keys(FrequentValues).filter((key) => key.startsWith('properties.'))];
    };
    const keys = ['properties.email', 'properties.plan', 'properties.plate'];
    expect(await shown()).toEqual([properties, keys]);
    expect(await get(`/schemas/event-model/${model.EventID}/pii`)).toContainEqual({
      Key: 'properties.email',
      Kind: 'email',
      Because: 'name',
    });

    const path = `/schemas/sources/${source.writeKey}/privacy`;
    const mask = { Samples: 'mask', MaskedKeys: ['properties.plate'] };
    expect((await operator().put(path, mask)).body).toEqual(mask);
    expect(await shown()).toEqual([{ email: '***', plate: '***', plan: 'free' }, ['properties.plan']]);
    await operator().put(path, { Samples: 'off' });
    expect(await shown()).toEqual([undefined, []]);
    expect(await get(path)).toEqual({ Samples: 'off', MaskedKeys: [] });
  });
});
