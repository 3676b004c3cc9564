import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, until } from '@weir/testing';
import { KEEP, newLibrary, newTransformation } from './support/code.js';
import { connect, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { type OpenApi, type Route, routesOf } from './support/openapi.js';
import { made, newWorkspace, nobody, UNKNOWN_ID, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

/** An unknown id for objects with numeric ids. */
const UNKNOWN_NUMBER = '999999999999';

/** One object of every kind, in a workspace that the caller does not belong to. */
interface Foreign {
  source: string;
  destination: string;
  connection: string;
  transformation: { id: string; versionId: string };
  library: { id: string; versionId: string };
  regulation: string;
  token: string;
  session: string;
  testRun: string;
  delivery: string;
  channel: string;
}

let own: Workspace;
let other: Workspace;
let foreign: Foreign;
let routes: Route[];
beforeAll(async () => {
  [own, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  foreign = await oneOfEachKind(other.admin);
  routes = routesOf(made(await nobody().get('/openapi.json')) as OpenApi);
});

async function oneOfEachKind(client: Api): Promise<Foreign> {
  const [source, destination] = [await newSource(client), await newWebhook(client, 'https://hooks.example.com')];
  const body = { regulationType: 'suppress', users: [{ userId: 'u' }] };
  const { accessToken } = made(await client.post('/v2/access-tokens', { name: 't', role: 'read-only' }), 201);
  return {
    source: source.id,
    destination: destination.id,
    connection: (await connect(client, source, destination)).id,
    transformation: await newTransformation(client, KEEP, { destinationIds: [destination.id] }),
    library: await newLibrary(client, 'export const a = 1;'),
    regulation: made(await client.post('/v2/regulations', body), 201)[0].id,
    token: accessToken.id,
    session: made(await nobody().post('/console/session', { token: accessToken.token }), 201).session.id,
    testRun: made(await client.post(`/v0/testDestination/${destination.id}?details=true`, BODY)).details.testId,
    delivery: await aDeadLetter(client, source),
    channel: made(await client.post('/v2/notifications', CHANNEL), 201).channel.id,
  };
}

/** Hears of nothing that these tests do. */
const CHANNEL = { type: 'webhook', name: 'pager', url: 'https://hooks.example.com', kinds: ['source_silent'] };

/** Sends an event to an address that is never allowed, which creates a dead letter. */
async function aDeadLetter(client: Api, source: Source): Promise<string> {
  await connect(client, source, await newWebhook(client, 'http://10.255.255.1/'));
  await sendEvent(source, 'track', { userId: 'nobody regulated', event: 'Lost' });
  return until(
    'a dead letter',
    async () => made(await client.get('/v2/deliveries?status=dead')).data[0]?.id as string | undefined,
  );
}

/** The foreign id that fits a path. */
function idOf({ path }: Route): string {
  const [, kind] = Object.entries({
    '/transformations': foreign.transformation.id,
    '/libraries': foreign.library.id,
    '/v2/sources': foreign.source,
    '/v2/destinations': foreign.destination,
    '/v2/connections': foreign.connection,
    '/v2/regulations': foreign.regulation,
    '/v2/access-tokens': foreign.token,
    '/console/sessions': foreign.session,
    '/v0/testDestination': foreign.destination,
    '/v0/testSource': foreign.source,
    '/v2/test-runs': foreign.testRun,
    '/v2/deliveries': foreign.delivery,
    '/v2/notifications': foreign.channel,
  }).find(([prefix]) => path.startsWith(`${prefix}/`)) ?? ['', ''];
  if (!kind) throw new Error(`no foreign id for ${path}`);
  return kind;
}

const versionOf = ({ path }: Route) =>
  path.startsWith('/libraries') ? foreign.library.versionId : foreign.transformation.versionId;
function unknownOf({ path }: Route): string {
  if (path.startsWith('/v2/regulations')) return UNKNOWN_UUID;
  return path.startsWith('/v2/deliveries') ? UNKNOWN_NUMBER : UNKNOWN_ID;
}

/** A body that passes validation up to the id of the path. */
const BODY = {
  name: 'renamed',
  externalId: 'x',
  transformationId: UNKNOWN_ID,
  versionId: UNKNOWN_ID,
  errorRate: null,
  tests: [],
  message: { type: 'track', event: 'e', userId: 'u' },
};

function call(client: Api, { method, path }: Route, id: string, versionId: string): Promise<Answer> {
  const filled = path.replace('{id}', id).replace('{versionId}', versionId);
  if (method === 'GET') return client.get(filled);
  if (method === 'DELETE') return client.delete(filled);
  return method === 'PUT' ? client.put(filled, BODY) : client.post(filled, BODY);
}

/** The parts of an answer that do not depend on the id. */
const shown = ({ status, text }: Answer, ...ids: string[]) => ({
  status,
  text: ids.reduce((rest, id) => rest.replaceAll(id, '<id>'), text),
});

describe("another workspace's id", () => {
  it('in a path answers like an unknown one, on every route', async () => {
    const withId = routes.filter(({ path }) => path.includes('{id}') && !path.startsWith('/admin'));
    expect(withId.length).toBeGreaterThan(25);
    for (const route of withId) {
      const name = `${route.method} ${route.path}`;
      const [id, unknown] = [idOf(route), unknownOf(route)];
      const theirs = await call(own.admin, route, id, versionOf(route));
      const nobodys = await call(own.admin, route, unknown, UNKNOWN_ID);
      expect([name, shown(theirs, id)]).toEqual([name, shown(nobodys, unknown)]);
      expect([name, theirs.status]).toEqual([name, 404]);
    }
  });

  const bodies: [string, number, (client: Api, ids: Foreign) => Promise<Answer>][] = [
    [
      'sourceId of a connection',
      400,
      async (client, { source }) => {
        const destination = await newWebhook(client, 'https://hooks.example.com');
        return client.post('/v2/connections', { sourceId: source, destinationId: destination.id });
      },
    ],
    [
      'destinationId of a connection',
      400,
      async (client, { destination }) => {
        const source = await newSource(client);
        return client.post('/v2/connections', { sourceId: source.id, destinationId: destination });
      },
    ],
    [
      'sourceIds of a regulation',
      400,
      (client, { source }) =>
        client.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'u' }], sourceIds: [source] }),
    ],
    [
      'destinationIds of a regulation',
      400,
      (client, { destination }) =>
        client.post('/v2/regulations', {
          regulationType: 'suppress_with_delete',
          users: [{ userId: 'u' }],
          destinationIds: [destination],
        }),
    ],
    [
      'destinationIds of a transformation',
      400,
      (client, { destination }) =>
        client.post('/transformations?publish=true', { name: 't', code: KEEP, destinationIds: [destination] }),
    ],
    [
      'transformationId of a link',
      400,
      async (client, { transformation }) => {
        const { id } = await newWebhook(client, 'https://hooks.example.com');
        return client.put(`/v2/destinations/${id}/transformation`, { transformationId: transformation.id });
      },
    ],
    [
      'versionId of a publish',
      404,
      (client, { transformation: { versionId } }) =>
        client.post('/transformations/libraries/publish', { transformations: [{ versionId }] }),
    ],
    [
      'versionId of a library to publish',
      404,
      (client, { library: { versionId } }) =>
        client.post('/transformations/libraries/publish', { libraries: [{ versionId }] }),
    ],
    [
      'versionId of a test',
      404,
      (client, { transformation: { versionId } }) =>
        client.post('/transformations/libraries/test', { transformations: [{ versionId }] }),
    ],
  ];
  it.each(bodies)('as %s answers %d like an unknown one', async (_, status, send) => {
    const theirs = await send(own.admin, foreign);
    const one = { id: UNKNOWN_ID, versionId: UNKNOWN_ID };
    const unknown = { source: UNKNOWN_ID, destination: UNKNOWN_ID, connection: UNKNOWN_ID, token: UNKNOWN_ID };
    const others = { session: UNKNOWN_ID, testRun: UNKNOWN_ID, delivery: UNKNOWN_NUMBER, channel: UNKNOWN_ID };
    const nobodys = await send(own.admin, {
      ...unknown,
      ...others,
      transformation: one,
      library: one,
      regulation: UNKNOWN_UUID,
    });
    const { source, destination, transformation, library } = foreign;
    const ids = [source, destination, transformation.id, transformation.versionId, library.versionId];
    expect(shown(theirs, ...ids)).toEqual(shown(nobodys, UNKNOWN_ID));
    expect(theirs.status).toBe(status);
  });

  it('changes nothing there', async () => {
    const paths = [
      `/v2/sources/${foreign.source}`,
      `/v2/destinations/${foreign.destination}`,
      `/v2/connections/${foreign.connection}`,
      `/transformations/${foreign.transformation.id}`,
      `/libraries/${foreign.library.id}`,
    ];
    for (const path of paths) expect([path, (await other.reader.get(path)).status]).toEqual([path, 200]);
    expect((await other.reader.get(paths[0] as string)).text).not.toContain('renamed');
    expect(made(await other.reader.get(`/v2/regulations/${foreign.regulation}`)).canceled).toBe(false);
  });
});

describe('a list', () => {
  it.each([
    '/v2/sources',
    '/v2/destinations',
    '/v2/connections',
    '/transformations',
    '/libraries',
    '/v2/regulations',
    '/v2/access-tokens',
    '/v2/processes',
  ])('%s holds nothing of another workspace', async (path) => {
    const { text } = await own.admin.get(path);
    expect(text).not.toContain(other.id);
    for (const id of [foreign.source, foreign.connection, foreign.transformation.id, foreign.library.id]) {
      expect(text).not.toContain(id);
    }
  });
});
