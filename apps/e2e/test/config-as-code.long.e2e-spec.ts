import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type RecordingServer, recordingServer, until } from '@weir/testing';
import { killWeirAt, PROGRAM, runWeir } from './support/command-line.js';
import { configurations } from './support/configurations.js';
import { changedKinds, everyKind } from './support/every-kind.js';
import { filesIn, writeFiles } from './support/files.js';
import { useProxy } from './support/proxy.js';
import { roundTrip } from './support/round-trip.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

const SECRET = 'Bearer clear-text-secret';
const CODE = 'export function transformEvent(event) { return event; }';

const home = mkdtempSync(join(tmpdir(), 'weir-config-e2e-'));
afterAll(() => rmSync(home, { recursive: true }));
const url = () => sharedStack().urls[0] ?? '';
const envOf = (workspace: Workspace, also: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env['PATH'], HOME: home, WEIR_URL: url(), WEIR_TOKEN: workspace.tokens.admin },
  ...also,
});

/** Each call has a folder of its own. */
let folders = 0;
function folderOf(files: Record<string, string> = {}): string {
  folders += 1;
  const folder = join(home, `folder-${folders}`);
  mkdirSync(folder);
  writeFiles(folder, files);
  return folder;
}

/** Runs a command that has to succeed. */
async function weir(args: string[], env: NodeJS.ProcessEnv, cwd = home) {
  const ran = await runWeir(args, { cwd, env });
  if (ran.code !== 0) throw new Error(`weir ${args.join(' ')} ended with ${ran.code}: ${ran.err}${ran.out}`);
  return ran;
}

/** The workspace as files, and a value for each secret that they need. */
async function exported(env: NodeJS.ProcessEnv) {
  const folder = folderOf();
  const { json } = await weir(['export', '--write-keys', '--json', folder], env);
  const secrets = Object.fromEntries(json.variables.map((name: string) => [name, SECRET]));
  return { folder, files: filesIn(folder), secrets: secrets as NodeJS.ProcessEnv };
}

/** In the order in which an apply makes them. */
const KINDS = ['credential', 'library', 'transformation', 'destination', 'source', 'connection'];

describe('apply', () => {
  let [own, other]: Workspace[] = [];
  beforeAll(async () => {
    [own, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  });
  const proxy = useProxy(url);

  it('a second time changes nothing, and after a kill at any step it ends at the same state', async () => {
    const project = folderOf(everyKind);
    const env = envOf(own as Workspace, { SECRET });
    await weir(['apply'], env, project);
    expect((await weir(['apply', '--json'], env, project)).json.steps).toEqual([]);
    await weir(['plan', '--check'], env, project);

    const killed = envOf(other as Workspace, { SECRET, WEIR_URL: proxy.url });
    const killedAt = async (notes: string[], args: string[], cwd: string) => {
      for (const note of notes) {
        expect([note, await killWeirAt(note, args, { cwd, env: killed })]).toEqual([note, true]);
        await until('the server to end what the killed one began', () => proxy.pending === 0);
      }
    };
    await killedAt([...KINDS.slice(0, 3).map(create), '… publish', ...KINDS.slice(3).map(create)], ['apply'], project);
    await weir(['apply'], killed, project);
    await weir(['plan', '--check', '--prune'], killed, project);
    await expectSame(killed, env);

    const later = folderOf(changedKinds);
    await weir(['apply'], env, later);
    await killedAt(
      ['… update credential', '… update library', '… update transformation', '… publish'],
      ['apply'],
      later,
    );
    await killedAt(['… update destination', '… update source', '… update connection'], ['apply'], later);
    await weir(['apply'], killed, later);
    await expectSame(killed, env);

    const nothing = folderOf({ 'weir.yaml': 'version: 1' });
    const deletions = KINDS.toReversed().map((kind) => `… delete ${kind}`);
    await killedAt(deletions, ['apply', '--prune', '--yes'], nothing);
    await weir(['apply', '--prune', '--yes'], killed, nothing);
    expect((await exported(killed)).files).toEqual({ 'weir.yaml': 'version: 1\n' });
  });
});

describe('an apply that was killed within a create', () => {
  const proxy = useProxy(url);

  it('may make the resource while the next one runs, which ends at the same state', async () => {
    const own = await newWorkspace();
    const project = folderOf({ 'weir.yaml': 'sources: [{ name: shop, type: HTTP }, { name: app, type: HTTP }]\n' });
    const env = envOf(own, { WEIR_URL: proxy.url });
    proxy.late = '/v2/sources';
    const killed = spawn(process.execPath, [PROGRAM, 'apply'], { cwd: project, env, stdio: 'ignore' });
    await until('the create to be under way', () => proxy.isHolding);
    killed.kill('SIGKILL');
    await once(killed, 'exit');

    await weir(['apply'], env, project);
    await weir(['plan', '--check', '--prune'], env, project);
    const { sources } = (await own.admin.get('/v2/sources')).body;
    expect(sources.map(({ name }: { name: string }) => name).sort()).toEqual(['app', 'shop']);
  });
});

const create = (kind: string) => `… create ${kind}`;

/** Both workspaces give the same files, but for the write keys. */
async function expectSame(one: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv): Promise<void> {
  const withoutKeys = ({ files }: { files: Record<string, string> }) =>
    JSON.stringify(files, null, 1).replaceAll(/writeKey: [\w-]+/g, 'writeKey: …');
  expect(withoutKeys(await exported(one))).toBe(withoutKeys(await exported(other)));
}

/** 50 of them run in `config-round-trip.soak-spec.ts`. */
describe('generated configurations', () => {
  it('are the same after export, destroy, apply and export', async () => {
    const own = await newWorkspace();
    const { body: kinds } = await own.admin.get('/destination-definitions');
    for (const configuration of configurations(kinds, 5, 5))
      await roundTrip(configuration, { url: url(), token: own.tokens.admin });
  });
});

describe('import', () => {
  let api: RecordingServer;
  beforeAll(async () => {
    api = await recordingServer();
    const code = { name: 'mask', description: '', code: CODE, language: 'javascript' };
    api.answer(({ path }) => (path === '/transformations/t1/versions/v1' ? { body: code } : { status: 404 }));
  });
  afterAll(() => api.close());

  const writeKey = randomUUID().replaceAll('-', '');
  const workspaceConfig = {
    sources: [
      {
        ...{ id: 's1', name: 'shop', writeKey, enabled: true, config: {} },
        sourceDefinition: { name: 'Javascript' },
        destinations: [
          {
            ...{ id: 'd1', name: 'hook', enabled: true, isConnectionEnabled: true, isProcessorEnabled: true },
            config: { webhookUrl: 'https://example.com/', headers: [{ from: 'authorization', to: SECRET }] },
            destinationDefinition: { name: 'WEBHOOK' },
            transformations: [{ id: 't1', versionId: 'v1' }],
          },
        ],
      },
    ],
  };

  it('becomes a workspace with its write keys, secrets and code, for somebody who logged in', async () => {
    const own = await newWorkspace();
    const folder = folderOf({ 'export.json': JSON.stringify(workspaceConfig) });
    const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: folder, RS_TOKEN: 'theirs' };
    const login = await runWeir(['login', '--url', url(), '--token-stdin'], {
      ...{ cwd: folder, env, input: own.tokens.admin },
    });
    expect(login.code).toBe(0);
    const from = ['--api-url', api.url, '--token-from-env', 'RS_TOKEN', '--out', 'shop'];
    const { json } = await weir(['import', 'rudderstack', 'export.json', ...from, '--json'], env, folder);
    expect(json).toMatchObject({ losses: [] });
    expect(api.requests.every(({ headers }) => headers.authorization === 'Bearer theirs')).toBe(true);
    expect(statSync(join(folder, 'shop/secrets.env')).mode & 0o777).toBe(0o600);

    const files = ['--dir', 'shop', '--env-file', 'shop/secrets.env'];
    await weir(['apply', ...files], env, folder);
    await weir(['plan', '--check', ...files], env, folder);
    const { body } = await own.admin.get('/v2/sources');
    expect(body.sources).toMatchObject([{ name: 'shop', writeKey }]);
    const destinations = await own.admin.get('/v2/destinations');
    expect(destinations.body.destinations[0]).toMatchObject({ enabled: true, config: { headers: [{ to: SECRET }] } });
  });
});
