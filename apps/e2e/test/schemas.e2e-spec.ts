import { beforeAll, describe, expect, it } from '@jest/globals';
import { within } from '@weir/testing';
import { newSource, sendEvent } from './support/inventory.js';
import { expectMsg, FINE_TIME, UUID } from './support/matchers.js';
import { counted, get, type Model, modelsOf, trackedModel, versionsOf } from './support/schemas.js';
import { newWorkspace, operator, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

/** Five times the 5 s in which area D shows an event (architecture section 7). The requests of the try are part of it. */
const SHOWN_MS = 25_000;

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const modelOf = (events: object[]) => trackedModel(own, events);

describe('event models', () => {
  it('are there within 5 s with every field of the specification, in order of their ids', async () => {
    const { source, models } = await within(SHOWN_MS, async () => {
      const source = await newSource(own.writer);
      await sendEvent(source, 'track', { userId: 'u', event: 'Ordered', properties: { price: 9.5, paid: true } });
      await sendEvent(source, 'track', { userId: 'u', event: 'Ordered', properties: { price: 5, paid: false } });
      await sendEvent(source, 'page', { userId: 'u', name: 'Home', properties: { url: 'https://x' } });
      return { source, models: await counted(source, 3) };
    });
    const ids = models.map(({ ID }) => ID);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const ordered = models.find(({ EventType }) => EventType === 'track');
    expect(ordered).toEqual({
      ID: expect.any(Number),
      EventID: UUID,
      WriteKey: source.writeKey,
      EventType: 'track',
      EventIdentifier: 'Ordered',
      CreatedAt: FINE_TIME,
      Schema: expect.objectContaining({ 'properties.price': 'float64', 'properties.paid': 'bool', userId: 'string' }),
      LastSeen: FINE_TIME,
      TotalCount: 2,
    });
    expect(Number.isInteger(ordered?.ID)).toBe(true);
  });

  it('are named by event for track, by name for page and screen, and not at all for others', async () => {
    const source = await newSource(own.writer);
    const names = { event: 'An event', name: 'A name', userId: 'u', previousId: 'p', groupId: 'g' };
    for (const type of ['track', 'page', 'screen', 'identify', 'group', 'alias']) await sendEvent(source, type, names);
    const named = (await counted(source, 6)).map(({ EventType, EventIdentifier }) => [EventType, EventIdentifier]);
    expect(Object.fromEntries(named)).toEqual({
      track: 'An event',
      page: 'A name',
      screen: 'A name',
      identify: '',
      group: '',
      alias: '',
    });
  });

  it('leave out track events without a name', async () => {
    const source = await newSource(own.writer);
    await sendEvent(source, 'track', { userId: 'u', event: 7 });
    await sendEvent(source, 'track', { userId: 'u' });
    await sendEvent(source, 'track', { userId: 'u', event: 'Named' });
    const models = await counted(source, 1);
    expect(models.map(({ EventIdentifier }) => EventIdentifier)).toEqual(['Named']);
  });

  it('of one source come with WriteKey; of an unknown one there are none; without it all', async () => {
    const { model } = await modelOf([{}]);
    const other = await newSource(own.writer);
    expect(await modelsOf(other)).toEqual([]);
    const all: Model[] = await get('/schemas/event-models');
    expect(all.map(({ EventID }) => EventID)).toContain(model.EventID);
    expect(await get('/schemas/event-models', { WriteKey: '' })).toEqual(expect.arrayContaining([model]));
  });

  it('keep their ids and their time of creation while they grow', async () => {
    const { model, source } = await modelOf([{}]);
    await sendEvent(source, 'track', { userId: 'u', event: 'Ordered', properties: { more: 1 } });
    const [grown] = await counted(source, 2);
    const { ID, EventID, CreatedAt } = model;
    expect(grown).toMatchObject({ ID, EventID, CreatedAt, TotalCount: 2 });
    expect(Date.parse(grown?.LastSeen ?? '')).toBeGreaterThanOrEqual(Date.parse(model.LastSeen));
    expect(grown?.Schema).toMatchObject({ ...model.Schema, 'properties.more': 'float64' });
  });

  it('flatten nested values by dots and list indexes, without nulls and empty values', async () => {
    const properties = { a: { b: { c: 'x' } }, list: [{ id: 1 }, 'y'], gone: null, empty: {}, none: [] };
    const { model } = await modelOf([{ properties }]);
    const keys = Object.keys(model.Schema).filter((key) => key.startsWith('properties.'));
    expect(keys.toSorted()).toEqual(['properties.a.b.c', 'properties.list.0.id', 'properties.list.1']);
  });

  it('join the types of a key that has several', async () => {
    const { model } = await modelOf([{ properties: { size: 'XL' } }, { properties: { size: 42 } }]);
    expect(model.Schema['properties.size']?.split(',').toSorted()).toEqual(['float64', 'string']);
  });
});

describe('every endpoint of the area', () => {
  it('answers 200 and JSON of its form', async () => {
    const { source, model } = await modelOf([{ properties: { a: 1 } }, { properties: { b: 2 } }]);
    const [version] = await versionsOf(model);
    const ENDPOINTS: [path: string, form: unknown][] = [
      [`event-models?WriteKey=${source.writeKey}`, [expect.objectContaining({ EventID: model.EventID })]],
      [`event-versions?EventID=${model.EventID}`, expect.arrayContaining([version])],
      [`event-model/${model.EventID}/metadata`, expect.objectContaining({ TotalCount: 2 })],
      [`event-version/${version?.VersionID}/metadata`, expect.objectContaining({ TotalCount: 1 })],
      [`event-model/${model.EventID}/key-counts`, expect.objectContaining({ 'properties.a': 1, 'properties.b': 1 })],
      [`event-version/${version?.VersionID}/missing-keys`, [expect.stringMatching(/^properties\.[ab]$/)]],
    ];
    for (const [path, form] of ENDPOINTS) {
      const { status, headers, body } = await operator().get(`/schemas/${path}`);
      const type = headers.get('content-type');
      expect({ path, status, type, body }).toEqual({
        path,
        status: 200,
        type: expect.stringMatching(/json/),
        body: form,
      });
    }
  });
});

describe('event versions', () => {
  it('are one for each shape, with every field of the specification', async () => {
    const { model } = await modelOf([{ properties: { a: 1 } }, { properties: { a: 2 } }, { properties: { b: '3' } }]);
    const versions = await versionsOf(model);
    expect(versions).toHaveLength(2);
    const first = versions.find(({ Schema }) => 'properties.a' in Schema);
    expect(first).toEqual({
      ID: expect.any(Number),
      VersionID: UUID,
      EventModelID: model.EventID,
      Schema: expect.objectContaining({ 'properties.a': 'float64' }),
      FirstSeen: FINE_TIME,
      LastSeen: FINE_TIME,
      TotalCount: 2,
    });
    expect(first?.Schema).not.toHaveProperty(['properties.b']);
  });

  it('are not multiplied by what the intake adds', async () => {
    const { model } = await modelOf([{ messageId: 'mine' }, {}, { sentAt: '2026-01-01T00:00:00Z' }]);
    expect(await versionsOf(model)).toHaveLength(1);
    expect(model.Schema).toMatchObject({ rudderId: 'string', receivedAt: 'string', request_ip: 'string' });
  });

  it('keep their id when the shape comes again', async () => {
    const { model, source } = await modelOf([{ properties: { a: 1 } }]);
    const [before] = await versionsOf(model);
    await sendEvent(source, 'track', { event: 'Ordered', userId: 'u', properties: { a: 'b' } });
    await sendEvent(source, 'track', { event: 'Ordered', userId: 'u', properties: { a: 5 } });
    await counted(source, 3);
    const again = (await versionsOf(model)).find(({ VersionID }) => VersionID === before?.VersionID);
    expect(again).toMatchObject({ TotalCount: 2, Schema: before?.Schema });
  });

  it('of an unknown model are none; without EventID 400', async () => {
    expect(await get('/schemas/event-versions', { EventID: UNKNOWN_UUID })).toEqual([]);
    expect(await get('/schemas/event-versions', { EventID: 'no uuid' })).toEqual([]);
    expectMsg(await operator().get('/schemas/event-versions'), 400, 'Mandatory field: EventID missing');
  });
});

describe('metadata', () => {
  it('of a model and of a version count, sample and list frequent values as integers', async () => {
    const colours = ['red', 'red', 'blue'];
    const { model } = await modelOf(colours.map((colour) => ({ properties: { colour } })));
    const [version] = await versionsOf(model);
    const paths = [
      `/schemas/event-model/${model.EventID}/metadata`,
      `/schemas/event-version/${version?.VersionID}/metadata`,
    ];
    for (const path of paths) {
      const metadata = await get(path);
      expect(Object.keys(metadata).toSorted()).toEqual(['FrequentValues', 'SampledEvents', 'TotalCount']);
      expect(metadata.TotalCount).toBe(3);
      expect(metadata.FrequentValues['properties.colour']).toEqual([
        { Value: 'red', Frequency: 2 },
        { Value: 'blue', Frequency: 1 },
      ]);
      const sampled = metadata.SampledEvents.map(
        (event: { properties: { colour: string } }) => event.properties.colour,
      );
      expect(sampled.toSorted()).toEqual(colours.toSorted());
    }
  });

  it('lists a value that makes up one in every hundred, and none below', async () => {
    const plan = (n: number) => (n === 0 ? 'once' : n <= 2 ? 'twice' : 'usual');
    const { model } = await modelOf(Array.from({ length: 150 }, (_, n) => ({ properties: { plan: plan(n) } })));
    const { FrequentValues } = await get(`/schemas/event-model/${model.EventID}/metadata`);
    expect(FrequentValues['properties.plan']).toEqual([
      { Value: 'usual', Frequency: 147 },
      { Value: 'twice', Frequency: 2 },
    ]);
  });

  it('counts events above 10 KiB but does not sample them', async () => {
    const { model } = await modelOf([{ properties: { text: 'x'.repeat(11_000) } }, { properties: { text: 'short' } }]);
    const metadata = await get(`/schemas/event-model/${model.EventID}/metadata`);
    expect(metadata.TotalCount).toBe(2);
    expect(metadata.SampledEvents).toHaveLength(1);
  });
});

describe('key counts and missing keys', () => {
  it('say how many events carry each key, and which keys of the model a version lacks', async () => {
    const shapes = [{ a: 1, b: 1 }, { a: 2 }, { a: 3 }];
    const { model } = await modelOf(shapes.map((properties) => ({ properties })));
    const counts = await get(`/schemas/event-model/${model.EventID}/key-counts`);
    expect(counts).toMatchObject({ 'properties.a': 3, 'properties.b': 1, event: 3, userId: 3 });
    for (const { VersionID, TotalCount } of await versionsOf(model)) {
      const missing = await get(`/schemas/event-version/${VersionID}/missing-keys`);
      expect(missing).toEqual(TotalCount === 2 ? ['properties.b'] : []);
    }
  });
});

describe('what is unknown', () => {
  it.each([UNKNOWN_UUID, 'no-uuid', "' OR 1=1"])('answers 404 with a msg: %s', async (id) => {
    const encoded = encodeURIComponent(id);
    const paths = [
      `/schemas/event-model/${encoded}/metadata`,
      `/schemas/event-version/${encoded}/metadata`,
      `/schemas/event-model/${encoded}/key-counts`,
      `/schemas/event-version/${encoded}/missing-keys`,
    ];
    for (const path of paths) expectMsg(await operator().get(path), 404);
  });

  it('as a path answers 404, another method 405, both with a msg', async () => {
    expectMsg(await operator().get('/schemas/nothing'), 404);
    expectMsg(await operator().post('/schemas/event-models', {}), 405);
  });
});
