import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type RecordingServer, recordingServer, until } from '@weir/testing';
import fc from 'fast-check';
import { killWeirAt, runWeir } from './support/command-line.js';
import { useProxy } from './support/proxy.js';
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
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
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

/** Two of each kind of resource. JSON is YAML. */
const everyKind = {
  'weir.yaml': JSON.stringify({
    credentials: ['maps', 'mail'].map((key) => ({ key, value: '{{ env.SECRET }}' })),
    sources: ['shop', 'app'].map((name) => ({ name, type: 'HTTP', privacy: { samples: 'mask', maskedKeys: [] } })),
    destinations: ['hook', 'other'].map((name) => ({
      ...{ name, type: 'WEBHOOK', transformation: 'mask' },
      config: { webhookUrl: 'https://example.com/', headers: [{ from: 'authorization', to: '{{ env.SECRET }}' }] },
    })),
    connections: [
      { source: 'shop', destination: 'hook' },
      { source: 'app', destination: 'other', enabled: false },
    ],
  }),
  'transformations/mask.js': `import { hide } from 'masks';\nexport const transformEvent = (event) => hide(event);`,
  'transformations/same.js': CODE,
  'libraries/masks.js': 'export const hide = (event) => event;',
  'libraries/more.js': 'export const one = 1;',
};

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
    for (const step of ['credential', 'library', 'transformation', 'publish', 'source', 'destination', 'connection']) {
      const note = step === 'publish' ? '… publish' : `… create ${step}`;
      expect([step, await killWeirAt(note, ['apply'], { cwd: project, env: killed })]).toEqual([step, true]);
      await until('the server to end what the killed one began', () => proxy.pending === 0);
    }
    await weir(['apply'], killed, project);
    await weir(['plan', '--check', '--prune'], killed, project);
    const withoutKeys = ({ files }: { files: Record<string, string> }) =>
      JSON.stringify(files, null, 1).replaceAll(/writeKey: \w+/g, 'writeKey: …');
    expect(withoutKeys(await exported(killed))).toBe(withoutKeys(await exported(env)));
  });
});

describe('generated configurations', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 10 }).map((text) => `n${text}`.trim()),
    fc.constantFrom('My hook', 'true', '12', 'shop: web', '../up', 'ünï'),
  );
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
  const flag = fc.boolean();
  const configuration = fc.record({
    sources: names,
    destinations: names,
    transformations: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z -]{0,8}[a-z]$/), { minLength: 1, maxLength: 2 }),
    enabled: flag,
    samples: fc.constantFrom('keep', 'mask', 'off'),
    path: fc.string({ unit: 'grapheme', maxLength: 12 }),
    isLinked: flag,
  });

  it('are the same after export, destroy, apply and export', async () => {
    const env = envOf(await newWorkspace());
    await fc.assert(
      fc.asyncProperty(
        configuration,
        async ({ sources, destinations, transformations, enabled, samples, path, isLinked }) => {
          const project = {
            sources: sources.map((one) => ({ name: one, type: 'HTTP', enabled, privacy: { samples } })),
            destinations: destinations.map((one) => ({
              ...{
                name: one,
                type: 'WEBHOOK',
                enabled: !enabled,
                ...(isLinked && { transformation: transformations[0] }),
              },
              config: {
                webhookUrl: 'https://example.com/',
                headers: [{ from: 'x', to: '{{ env.SECRET }}' }],
                note: path,
              },
            })),
            connections: sources.map((source) => ({ source, destination: destinations[0], enabled })),
            transformations: transformations.map((one) => ({ name: one, description: path, file: 'code.txt' })),
          };
          const folder = folderOf({ 'weir.yaml': JSON.stringify(project), 'code.txt': CODE });
          await weir(['apply', '--prune', '--yes'], { ...env, SECRET }, folder);
          const before = await exported(env);
          await weir(['destroy', '--yes'], env, before.folder);
          await weir(['apply'], { ...env, ...before.secrets }, before.folder);
          expect((await exported(env)).files).toEqual(before.files);
          await weir(['plan', '--check', '--prune'], { ...env, ...before.secrets }, before.folder);
        },
      ),
      { numRuns: 2 },
    );
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
