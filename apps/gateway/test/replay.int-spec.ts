import { describe, expect, it } from '@jest/globals';
import {
  CreateTransformation,
  GetModelMetadata,
  GetTransformation,
  ListCredentials,
  ListDefinitions,
  ListModels,
  ListVersionDestinations,
  notFound,
  PublishRelease,
  RollbackTransformation,
  TestRelease,
  UpdateTransformation,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { connect, newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
const versionId = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const validationOutput = { libraries: [], transformations: [] };
const [exampleModel] = ListModels.reply.parse(ListModels.example.reply).models;
if (!exampleModel) throw new Error('the example has one');

let linked: string[] = [];
let modelsOf: Record<string, string[]> = {};
const eventIds = ['1', '2', '3'].map((n) => `6b8f0f66-5a42-4d8e-9d6b-0d6b5c1f9a0${n}`) as [string, string, string];
useStub(nats, ListCredentials, () => ({ credentials: [] }));
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const libraryVersionId = '0ujsszwN8NRY24YaXiTIE2VWDTS';
useStub(nats, ListVersionDestinations, ({ versionIds, libraryVersionIds = [] }) => ({
  versions: versionIds.filter((id) => id === versionId).map((id) => ({ versionId: id, destinationIds: linked })),
  ...(libraryVersionIds.includes(libraryVersionId) && { dependents: [{ versionId, destinationIds: linked }] }),
}));
useStub(nats, ListModels, ({ writeKey = '' }) => ({
  models: (modelsOf[writeKey] ?? []).map((EventID) => ({ ...exampleModel, EventID })),
}));
const metadata = useStub(nats, GetModelMetadata, ({ eventId }) => {
  if (eventId === eventIds[2]) throw notFound('model');
  const SampledEvents = [1, 2].map((n) => ({ type: 'track', event: `${eventId}/${n}` }));
  return { SampledEvents, TotalCount: 2, FrequentValues: {} };
});
const publish = useStub(nats, PublishRelease, () => ({ published: true as const, validationOutput }));
const test = useStub(nats, TestRelease, () => ({ pass: true, message: 'ok', validationOutput }));

const transformation = CreateTransformation.reply.parse(CreateTransformation.example.reply);
const { id } = transformation;
const written = { ...transformation, validationOutput };
const create = useStub(nats, CreateTransformation, () => written);
const update = useStub(nats, UpdateTransformation, () => written);
const rollback = useStub(nats, RollbackTransformation, () => written);
let isPublished = true;
useStub(nats, GetTransformation, () => {
  if (!isPublished) throw notFound('transformation');
  return { ...transformation, destinations: linked };
});

const body = { transformations: [{ versionId }], libraries: [] };
const samplesSent = () => publish.requests.at(-1)?.items.transformations[0]?.samples?.map(({ event }) => event);

describe('a publish with replaySamples', () => {
  it('brings events of the sources that send to the destinations of the transformation', async () => {
    const client = clientOf(gateway);
    const [destination, other] = [await newDestination(client), await newDestination(client)];
    const [near, far, off] = [await newSource(client), await newSource(client), await newSource(client)];
    await connect(client, near.id, destination.id);
    await connect(client, far.id, other.id);
    await connect(client, off.id, destination.id, false);
    linked = [destination.id];
    modelsOf = { [near.writeKey]: [...eventIds], [far.writeKey]: [eventIds[0]], [off.writeKey]: [eventIds[0]] };
    const [a, b] = eventIds;
    expect((await client.post('/transformations/libraries/publish?replaySamples=3', body)).status).toBe(200);
    expect(samplesSent()).toEqual([`${a}/1`, `${b}/1`, `${a}/2`]);
    await client.post('/transformations/publish?replaySamples=100', body);
    expect(samplesSent()).toEqual([`${a}/1`, `${b}/1`, `${a}/2`, `${b}/2`]);
    await client.post('/transformations/tests/run?replaySamples=1', body);
    expect(test.requests.at(-1)?.items.transformations[0]?.samples).toHaveLength(1);
  });

  it('brings them for single writes and for a rollback, and shows what came of them', async () => {
    const client = clientOf(gateway);
    const [destination, source] = [await newDestination(client), await newSource(client)];
    await connect(client, source.id, destination.id);
    [linked, modelsOf] = [[destination.id], { [source.writeKey]: [eventIds[0]] }];
    const query = 'publish=true&replaySamples=2';
    const code = 'export const transformEvent = (event) => event;';
    const destinationIds = [destination.id];
    const answers = [
      await client.post(`/transformations?${query}`, { name: 'T', code, destinationIds }),
      await client.post(`/transformations/${id}?${query}`, { code }),
      await client.post(`/transformations/${id}/rollback?replaySamples=2`, { versionId }),
    ];
    expect(answers.map((answer) => [answer.status, answer.body.validationOutput])).toEqual(
      Array(3).fill([200, validationOutput]),
    );
    const sent = [create, update, rollback].map(({ requests }) => requests.at(-1)?.samples?.map(({ event }) => event));
    expect(sent).toEqual(Array(3).fill([`${eventIds[0]}/1`, `${eventIds[0]}/2`]));

    isPublished = false;
    await client.post(`/transformations/${id}?${query}`, { code });
    await client.post(`/transformations/${id}?publish=true`, { code });
    expect(update.requests.slice(-2).map(({ samples }) => samples)).toEqual([[], undefined]);
    const draft = await client.post(`/transformations/${id}?replaySamples=2`, { code });
    expect([draft.status, Object.keys(draft.body.details)]).toEqual([400, ['replaySamples']]);
  });

  it('brings those of live code that runs a library of the request', async () => {
    const client = clientOf(gateway);
    const [destination, source] = [await newDestination(client), await newSource(client)];
    await connect(client, source.id, destination.id);
    [linked, modelsOf] = [[destination.id], { [source.writeKey]: [eventIds[0]] }];
    const libraries = { libraries: [libraryVersionId] };
    expect((await client.post('/transformations/tests/run?replaySamples=2', libraries)).status).toBe(200);
    const { dependents } = test.requests.at(-1)?.items ?? {};
    expect(dependents?.map((one) => [one.versionId, one.samples?.map(({ event }) => event)])).toEqual([
      [versionId, [`${eventIds[0]}/1`, `${eventIds[0]}/2`]],
    ]);
    await client.post('/transformations/tests/run', libraries);
    expect(test.requests.at(-1)?.items).not.toHaveProperty('dependents');
  });

  it('never brings those of another workspace', async () => {
    const { admin } = await newWorkspace(gateway);
    expect((await admin.post('/libraries/publish?replaySamples=5', body)).status).toBe(200);
    expect(samplesSent()).toEqual([]);
  });

  it.each(['-1', '101', 'many', ''])('of %j is refused', async (count) => {
    const answer = await clientOf(gateway).post(`/libraries/publish?replaySamples=${count}`, body);
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['replaySamples']]);
  });

  it('asks for nothing without it, and knows unknown versions', async () => {
    const asked = metadata.requests.length;
    await clientOf(gateway).post('/libraries/publish', body);
    expect([metadata.requests.length, samplesSent()]).toEqual([asked, undefined]);
    const unknown = { transformations: [{ versionId: '0ujsszwN8NRY24YaXiTIE2VWDTS' }] };
    expect((await clientOf(gateway).post('/libraries/publish?replaySamples=5', unknown)).status).toBe(404);
  });
});
