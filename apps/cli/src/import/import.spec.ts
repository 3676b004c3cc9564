import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyJson } from '../../test/any-json.js';
import { codes, DEFINITIONS, WORKSPACES, workspace } from '../../test/incumbent.js';
import { loaded } from '../../test/loaded-import.js';
import { filesOf } from '../project/files.js';
import { Import } from './import.js';
import { leaves } from './ledger.js';
import { addMirrors } from './mirror.js';
import { reportOf } from './report.js';
import { importWorkspace } from './workspace-config.js';

async function imported(json: unknown): Promise<Import> {
  const into = new Import(DEFINITIONS, codes);
  await importWorkspace(json, into);
  return into;
}

const pathsOf = (json: unknown) => leaves(json).map((path) => path.join('.'));

describe.each(Object.entries(WORKSPACES))('a workspace file with %s', (_, json) => {
  it('has each value mapped or told, its files can be read, and no secret is in them', async () => {
    const into = await imported(json);
    const entries = into.ledger.entries();
    expect(entries.map(({ path }) => path)).toEqual(pathsOf(json));
    expect(entries.filter(({ path: one, what }) => what.includes('does not know') && one !== '')).toEqual([]);
    loaded(into);
    expect(JSON.stringify([filesOf(into.project), reportOf(into), entries])).not.toContain('clear-text-secret');
  });
});

it('a workspace becomes sources with their write keys, destinations with their secrets, code and connections', async () => {
  const desired = loaded(await imported(WORKSPACES['every key']));
  expect(desired.sources).toMatchObject([
    { name: 'shop', type: 'Javascript', writeKey: '1puvbvMW2mxWvfFFnPIv5TTv4wL', geoEnrichment: true },
  ]);
  expect(desired.destinations).toMatchObject([
    {
      name: 'hook',
      type: 'WEBHOOK',
      enabled: true,
      transformation: 'v-mask',
      config: { headers: [{ from: 'a', to: 'clear-text-secret' }] },
    },
  ]);
  expect(desired.connections).toEqual([{ source: 'shop', destination: 'hook', enabled: true }]);
  expect(desired.libraries).toMatchObject([{ name: 'v-lib' }]);
  expect(desired.credentials).toMatchObject([
    { key: 'maps', value: 'clear-text-secret', secret: true },
    { key: 'region', value: 'eu', secret: false },
  ]);
});

it('settings that look secret are references, and reach Weir as they were', async () => {
  const { sources, destinations } = loaded(await imported(WORKSPACES['secrets that no kind declares']));
  const secret = 'clear-text-secret';
  expect(sources[0]?.config).toEqual({ webhook: { signingKey: secret }, useSecret: true });
  expect(destinations[0]?.config).toMatchObject({
    ...{ accessKey: secret, hasToken: false, region: 'eu', rotates: 7 },
    ...{ auth: [{ user: 'a', privateKey: secret }], tokens: [secret], credentials: { any: secret } },
  });
});

it('with a mirror, each source copies to its old data plane, which alone goes on to deliver', async () => {
  const into = await imported(WORKSPACES['every key']);
  addMirrors('https://hosted.example.com', into);
  const desired = loaded(into);
  expect(desired.destinations.toSorted((a, b) => b.name.localeCompare(a.name))).toMatchObject([
    { name: 'hook', type: 'WEBHOOK', enabled: false },
    {
      ...{ name: 'Copies of shop', type: 'DATA_PLANE', enabled: true },
      config: { dataPlaneUrl: 'https://hosted.example.com', writeKey: '1puvbvMW2mxWvfFFnPIv5TTv4wL' },
    },
  ]);
  expect(desired.connections).toContainEqual({ source: 'shop', destination: 'Copies of shop', enabled: true });
  expect(JSON.stringify(into.project.destinations)).not.toContain('1puvbvMW2mxWvfFFnPIv5TTv4wL');
  expect(into.losses.map(({ what }) => what)).toContain('all destinations');
});

it('a source without a write key sends no copies, and is told', async () => {
  const into = new Import(DEFINITIONS, codes);
  into.project.sources.push({ name: 'shop' });
  addMirrors('https://hosted.example.com', into);
  expect(into.project).toMatchObject({ destinations: [], connections: [] });
  expect(into.losses).toEqual([{ what: 'source "shop": copies', events: expect.stringContaining('write key') }]);
});

it('settings of a source that Weir only keeps are told, and a transient one keeps no samples', async () => {
  const into = await imported(WORKSPACES['a transient source']);
  expect(loaded(into).sources).toMatchObject([
    { transient: true, geoEnrichment: true, privacy: { samples: 'off', maskedKeys: [] } },
  ]);
  const told = into.ledger.entries().filter(({ path }) => /transient|geoEnrichment/.test(path));
  expect(told.map(({ outcome }) => outcome)).toEqual(['kept', 'kept']);
  expect(into.losses.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['source "shop": transient', 'source "shop": geoEnrichment']),
  );
  expect(loaded(await imported(WORKSPACES['every key'])).sources[0]?.privacy).toBeUndefined();
});

it('a destination whose code is missing is disabled, so that no event arrives unchanged', async () => {
  const into = await imported(WORKSPACES['code in another language']);
  expect(into.project.destinations).toMatchObject([{ name: 'hook', enabled: false }]);
  expect(into.losses.map(({ what }) => what)).toContain('destination "hook": transformation');
});

it('tells what events would lose', async () => {
  const text = reportOf(await imported(WORKSPACES['a kind that Weir has not']));
  expect(text).toContain('destination "hook" (GOOGLE_ADS): No event would reach it');
  expect(text).toContain('track "Spam" would pass');
});

it('loses no value silently, whatever a file holds', async () => {
  const value = anyJson(
    'sources',
    'config',
    'name',
    'connections',
    'credentials',
    'id',
    'destinations',
    'new.key',
    '0',
  );
  await fc.assert(
    fc.asyncProperty(value.object, value.object, async (more, config) => {
      for (const json of [more, workspace(more as object), workspace({ ...Object(config), extra: more })]) {
        const paths = (await imported(json)).ledger.entries().map(({ path }) => path);
        expect(paths).toEqual(pathsOf(json));
      }
    }),
    { numRuns: 50 },
  );
  const { ledger } = await imported(workspace({ brandNew: { key: 1 } }));
  expect(ledger.entries()).toContainEqual({
    ...{ path: 'brandNew.key', outcome: 'lost', what: 'The importer does not know this key' },
  });
});
