import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES, type RoleName } from '@weir/contracts';
import { sharedStack } from '@weir/local';
import { type Api, api } from '@weir/testing';
import { newTransformation } from './support/code.js';
import { useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source } from './support/inventory.js';
import { trackedModel, versionsOf } from './support/schemas.js';
import { sessionOf } from './support/session.js';
import { made, newToken, newWorkspace, type Workspace } from './support/workspace.js';

/** Texts that no answer to a page may hold. */
const HUSH = {
  header: 'hush-of-a-header-0001',
  secret: 'hush-of-a-credential-0002',
  signing: `whsec_${Buffer.from('hush-of-a-channel-that-signs-0003').toString('base64')}`,
  slack: 'hush-of-an-address-0004',
  property: 'hush-in-an-event-0005',
};

/** The routes that the console reads, from its own source. A new one needs no entry here, only its placeholders do. */
const READ = [
  ...new Set(
    sources().flatMap((text) => [...text.matchAll(/api\.GET\(\s*'([^']+)'/g)].map(([, path]) => String(path))),
  ),
];

function sources(): string[] {
  const folder = join(import.meta.dirname, '../../console/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Parameters that a route requires. */
const QUERIES: Record<string, string> = {
  '/schemas/event-versions': 'EventID',
  '/schemas/event-version/{VersionID}/diff': 'against',
};

/** The key of a source, for who may change it. The test below is about it. */
const ON_REQUEST = '/v2/sources/{id}/write-key';
/** Its answer never ends, and holds what an event holds. */
const STREAM = '/v2/live-events';
/** Opened by the session of the operator, who has no workspace. */
const isOfOperator = (path: string) => path.startsWith('/admin/');

describe('a session of the console', () => {
  const hook = useHook();
  let own: Workspace;
  let source: Source;
  let session: Record<RoleName, Api>;
  let tokens: string[];
  let ids: Record<string, Record<string, string>>;
  let destinationId: string;

  beforeAll(async () => {
    own = await newWorkspace();
    hook.answer(() => ({ status: 400 })); // dead letters keep their event
    const properties = { seat: 1, api_key: HUSH.property };
    const tracked = await trackedModel(own, [{ properties }]);
    source = tracked.source;
    const headers = [{ from: 'X-Key', to: HUSH.header }];
    const destination = await newWebhook(own.writer, hook.url, { config: { headers } });
    destinationId = destination.id;
    await connect(own.writer, source, destination);
    const other = await newSource(own.writer);
    const { id } = await newTransformation(own.writer, 'export const transformEvent = (event) => event;');
    made(await own.admin.put('/v2/credentials/HUSH', { value: HUSH.secret, isSecret: true }));
    const channels = [
      { type: 'webhook', name: 'On call', url: 'https://example.com/hook', secret: HUSH.signing },
      { type: 'slack', name: 'Chat', url: `https://hooks.slack.com/services/${HUSH.slack}` },
    ];
    for (const channel of channels) made(await own.admin.post('/v2/notifications', channel), 201);
    const user = { regulationType: 'suppress', users: [{ userId: 'somebody' }] };
    const [{ id: regulation }] = made(await own.writer.post('/v2/regulations', user), 201);
    const roles = ROLES.map(async (role) => [role, await newToken(own.id, role)] as const);
    const byRole = Object.fromEntries(await Promise.all(roles)) as Record<RoleName, string>;
    session = Object.fromEntries(
      await Promise.all(ROLES.map(async (role) => [role, await sessionOf(byRole[role])])),
    ) as typeof session;
    tokens = [...Object.values(byRole), ...Object.values(own.tokens), source.writeKey, other.writeKey];
    const [version] = await versionsOf(tracked.model);
    ids = {
      '/transformations': { id },
      '/libraries': { id },
      '/v2/sources': { id: source.id },
      '/v2/destinations': { id: destinationId },
      '/schemas': { EventID: tracked.model.EventID, VersionID: String(version?.VersionID) },
      '/v2/regulations': { id: regulation },
      '/v2/events': { messageId: 'none' },
      '/v2/deliveries': { id: 'none' },
    };
  });

  const filled = (path: string) => {
    const [, known] = Object.entries(ids).find(([start]) => path.startsWith(start)) ?? [];
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = known?.[name];
      if (value === undefined) throw new Error(`no ${name} for ${path}: add one to ids`);
      return value;
    });
  };
  const secretsIn = (text: string) => [...Object.values(HUSH), ...tokens].filter((one) => text.includes(one));

  it.each(READ.filter((path) => ![ON_REQUEST, STREAM].includes(path) && !isOfOperator(path)))(
    'gets no secret from %s',
    async (path) => {
      const query = QUERIES[path]
        ? { [QUERIES[path]]: String(ids['/schemas']?.[QUERIES[path] === 'against' ? 'VersionID' : 'EventID']) }
        : {};
      const got = await Promise.all(
        ROLES.map(async (role) => [role, await session[role].get(filled(path), { query })] as const),
      );
      // a busy stack may be unready for a moment, and says so with 503
      const isFault = (status: number) => status >= 500 && !(path === '/readyz' && status === 503);
      for (const [role, { text, status }] of got)
        expect([role, isFault(status), secretsIn(text)]).toEqual([role, false, []]);
    },
  );

  it('gets no secret from what it changes', async () => {
    const { admin } = session;
    const answers = [
      await admin.post('/v2/sources', { name: 'New', type: 'HTTP' }),
      await admin.put(`/v2/sources/${source.id}`, { name: 'Renamed' }),
      await admin.put(`/v2/destinations/${destinationId}`, { name: 'Renamed' }),
      await admin.post(
        `/v0/testDestination/${destinationId}`,
        {
          message: { type: 'track', event: 'Ordered', userId: 'u' },
          stage: { user_transform: true, dest_transform: true, send_to_destination: true },
        },
        { query: { details: true } },
      ),
    ];
    expect(answers.map(({ status, text }) => [status, secretsIn(text)])).toEqual(answers.map(() => [200, []]));
    expect(answers[0]?.body.source.writeKey).toBe('***');
    // the mask keeps what is stored
    const stored = made(await admin.get(`/v2/destinations/${destinationId}`)).destination;
    made(await admin.put(`/v2/destinations/${destinationId}`, { config: stored.config }));
    expect((await own.admin.get(`/v2/destinations/${destinationId}`)).text).toContain(HUSH.header);
  });

  it('gets a write key on request, if its role may change sources', async () => {
    const answers = await Promise.all(
      ROLES.map(async (role) => [role, (await session[role].get(`/v2/sources/${source.id}/write-key`)).body] as const),
    );
    for (const [role, body] of answers)
      if (role === 'admin' || role === 'write') expect(body).toEqual({ writeKey: source.writeKey });
      else expect([role, body.error ?? body.message]).toEqual([role, expect.any(String)]);
  });

  it('knows the source of a model by its id, and a token by its write key', async () => {
    const [model] = made(await session.admin.get('/schemas/event-models'));
    expect(model).toMatchObject({ WriteKey: '***', SourceID: source.id });
    const owner = api(sharedStack(), { user: '', password: own.tokens.admin }); // schemas take no Bearer
    const [same] = made(await owner.get('/schemas/event-models'));
    expect(same).toMatchObject({ WriteKey: source.writeKey });
    expect(same).not.toHaveProperty('SourceID');
  });
});
