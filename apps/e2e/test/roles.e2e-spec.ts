import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type Api, api } from '@weir/testing';
import { KEEP, newTransformation } from './support/code.js';
import type { Source } from './support/inventory.js';
import { type OpenApi, routesOf } from './support/openapi.js';
import { type Model, trackedModel, type Version, versionsOf } from './support/schemas.js';
import { made, newToken, newWorkspace, nobody, UNKNOWN_ID, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

interface Tracked {
  model: Model;
  source: Source;
  version: Version;
}

let own: Workspace;
let admin: Api;
let writer: Api;
let reader: Api;
let privacy: Api;
let mine: Tracked;
let theirs: Tracked;
beforeAll(async () => {
  const other = await newWorkspace();
  own = await newWorkspace();
  const { 'read-write': write, 'read-only': read } = own.tokens;
  [admin, writer, reader] = [as(own.tokens.admin), as(write), as(read)];
  privacy = as(await newToken(own.id, 'privacy'));
  [mine, theirs] = [await tracked(own), await tracked(other)];
});

/** HTTP Basic, which every area takes. */
const as = (token: string) => api(sharedStack(), { user: '', password: token });

async function tracked(workspace: Workspace): Promise<Tracked> {
  const made = await trackedModel(workspace, [{ properties: { seat: 1 } }]);
  const [version] = await versionsOf(made.model);
  if (!version) throw new Error('the model has no version');
  return { ...made, version };
}

/** A path of area D with the ids of one model, and `UNKNOWN_UUID` to compare with. */
const filled = (path: string, { model, version, source }: Tracked) =>
  path
    .replace('{EventID}', model.EventID)
    .replace('{VersionID}', version.VersionID)
    .replace('{WriteKey}', source.writeKey);
const nothing = (path: string) =>
  path.replace(/\{(EventID|VersionID)\}/, UNKNOWN_UUID).replace('{WriteKey}', UNKNOWN_ID);

async function schemaPaths(): Promise<string[]> {
  const routes = routesOf(made(await nobody().get('/openapi.json')) as OpenApi);
  return routes.flatMap(({ method, path }) => (method === 'GET' && path.startsWith('/schemas/') ? [path] : []));
}

describe('a token in area D', () => {
  it('reads everything of its workspace', async () => {
    for (const path of await schemaPaths()) {
      const query = { EventID: mine.model.EventID, against: mine.version.VersionID };
      const [name] = Object.keys(query).filter((key) => wants(path, key));
      const answer = await admin.get(filled(path, mine), name ? { query: { [name]: query[name as 'EventID'] } } : {});
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  it('gets the same answer for an id of another workspace as for one that does not exist', async () => {
    const withId = (await schemaPaths()).filter((path) => path.includes('{'));
    expect(withId.length).toBeGreaterThan(7);
    for (const path of withId) {
      const query = wants(path, 'against') ? { against: mine.version.VersionID } : {};
      const [foreign, unknown] = [filled(path, theirs), nothing(path)];
      const [answer, expected] = [await admin.get(foreign, { query }), await admin.get(unknown, { query })];
      const { EventID } = theirs.model;
      const text = answer.text.replaceAll(EventID, UNKNOWN_UUID).replaceAll(theirs.version.VersionID, UNKNOWN_UUID);
      expect([path, answer.status, text]).toEqual([path, 404, expected.text]);
    }
    const diff = `/schemas/event-version/${mine.version.VersionID}/diff`;
    expect((await admin.get(diff, { query: { against: theirs.version.VersionID } })).status).toBe(404);
  });

  it('lists models, versions, schemas and drift of its workspace alone', async () => {
    const { EventID } = theirs.model;
    const { writeKey, name } = theirs.source;
    const lists = ['event-models', 'event-models/json-schemas', 'event-models/typescript', 'drift'];
    for (const path of lists) {
      const all = await admin.get(`/schemas/${path}`);
      expect([path, all.status, all.text.includes(EventID)]).toEqual([path, 200, false]);
      const foreign = await admin.get(`/schemas/${path}`, { query: { WriteKey: writeKey } });
      expect([path, foreign.status, foreign.text.includes('seat')]).toEqual([path, 200, false]);
      expect((await admin.get(`/schemas/${path}`, { query: { SourceName: name } })).status).toBe(404);
    }
    const models = made(await admin.get('/schemas/event-models')) as Model[];
    expect(models.map((model) => model.EventID)).toEqual([mine.model.EventID]);
    const bySource = await reader.get('/schemas/event-models', { query: { SourceName: mine.source.name } });
    expect(made(bySource)).toEqual(models);
    expect(made(await admin.get('/schemas/event-versions', { query: { EventID } }))).toEqual([]);
    expect(made(await admin.get('/schemas/drift', { query: { EventID } }))).toEqual([]);
  });

  it('changes the samples of its own sources alone', async () => {
    const path = ({ source }: Tracked) => `/schemas/sources/${source.writeKey}/privacy`;
    expect((await privacy.put(path(theirs), { Samples: 'off' })).status).toBe(404);
    expect(made(await privacy.put(path(mine), { Samples: 'mask' }))).toEqual({ Samples: 'mask', MaskedKeys: [] });
    expect((await writer.put(path(mine), { Samples: 'keep' })).status).toBe(403);
  });

  it('is refused parameters that a path does not take', async () => {
    for (const path of await schemaPaths()) {
      const answer = await admin.get(filled(path, mine), { query: { EventName: 'x' } });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.text).toContain('EventName is not a parameter of this path');
    }
  });
});

/** Whether the path needs this query parameter. */
const wants = (path: string, name: string) =>
  name === 'against' ? path.endsWith('/diff') : path === '/schemas/event-versions';

describe('a token for privacy', () => {
  it('sees to regulations and reads schemas with samples, and nothing else', async () => {
    const body = { regulationType: 'suppress', users: [{ userId: 'u' }] };
    const [{ id }] = made(await privacy.post('/v2/regulations', body), 201);
    made(await privacy.get(`/v2/regulations/${id}`));
    made(await privacy.get(`/schemas/event-model/${mine.model.EventID}/metadata`));
    made(await privacy.get('/v2/workspace'));
    for (const path of ['/v2/sources', '/v2/destinations', '/transformations', '/v2/deliveries', '/v2/access-tokens']) {
      expect([path, (await privacy.get(path)).status]).toEqual([path, 403]);
    }
  });
});

describe('a token for publishing', () => {
  it('publishes code, and neither reads nor changes anything else', async () => {
    const ci = as(await newToken(own.id, 'publish'));
    const { versionId } = await newTransformation(ci, KEEP, {});
    made(await ci.post('/transformations/libraries/publish', { transformations: [{ versionId }] }));
    for (const path of ['/v2/sources', '/v2/regulations', '/schemas/event-models', '/v2/deliveries']) {
      expect([path, (await ci.get(path)).status]).toEqual([path, 403]);
    }
  });
});
