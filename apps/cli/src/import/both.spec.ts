import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { CODE, DEFINITIONS, destination, source, workspace } from '../../test/incumbent.js';
import { noCode } from './definitions.js';
import { Import } from './import.js';
import { importIncumbent } from './incumbent.js';
import { leaves } from './ledger.js';
import { readProjectFiles } from './project-files.js';

const folder = mkdtempSync(join(tmpdir(), 'weir-incumbent-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILES = {
  'code/mask.yaml': `version: rudder/v1
kind: transformation
metadata: { name: mask, import: { workspaces: [{ workspace_id: w, resources: [{ local_id: mask, remote_id: t-remote }] }] } }
spec: { id: mask, name: Mask, language: javascript, file: mask.js }`,
  'code/mask.js': CODE,
  'all.yaml': `version: rudder/v1
kind: event-stream-source
metadata: { name: sources }
spec: { id: web, name: shop, type: javascript }
---
version: rudder/v1
kind: destination
metadata: { name: destinations }
spec: { id: hook, display_name: hook, type: webhook, config: { webhook_url: 'https://{{ .HOST }}' }, transformation: '#transformation:mask' }
---
version: rudder/v1
kind: event-stream-connections
metadata: { name: connections }
spec: { connections: [{ id: c, source: '#event-stream-source:web', destination: '#destination:hook', enabled: true }] }`,
  'staging.vars.yaml': 'HOST: a.example\nHOOK_HEADERS_0_TO: of the files\nPORT: 80',
  'staging2.vars.yaml': 'HOST: a.example',
};
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function imported(json?: object): Promise<Import> {
  const into = new Import(DEFINITIONS, noCode);
  await importIncumbent({ workspace: json, files: readProjectFiles(folder) }, into);
  return into;
}

it('project files alone become sources, destinations, code and connections, and every value is accounted for', async () => {
  const { project, ledger, env, losses } = await imported();
  expect(project).toMatchObject({
    sources: [{ name: 'shop', type: 'javascript' }],
    destinations: [{ name: 'hook', type: 'WEBHOOK', transformation: 'Mask' }],
    connections: [{ source: 'shop', destination: 'hook' }],
    transformations: [{ name: 'Mask', code: CODE }],
  });
  expect(env).toEqual({ HOST: 'a.example', HOOK_HEADERS_0_TO: 'of the files', PORT: '80' });
  expect(losses.map(({ what }) => what)).toEqual(['source "shop": write key']);
  const { documents } = readProjectFiles(folder);
  const paths = documents.flatMap(({ content, title }) => leaves(content, [title]).map((path) => path.join('.')));
  expect(ledger.entries().map(({ path }) => path)).toEqual(paths);
  expect(ledger.entries().filter(({ what }) => what.includes('does not know'))).toEqual([]);
});

it.each([
  ['by the id of its transformation', { name: 'elsewhere', transformations: [{ versionId: 'x', id: 't-remote' }] }, 2],
  ['by its name', { transformations: [{ versionId: 'x', id: 'unknown' }] }, 1],
])(
  'with an export too, nothing is there twice, and a destination gets its code %s',
  async (_, fields, destinations) => {
    const into = await imported(workspace({ sources: [source({ destinations: [destination(fields)] })] }));
    const { project, losses } = into;
    expect(project.sources).toMatchObject([{ name: 'shop', writeKey: '1puvbvMW2mxWvfFFnPIv5TTv4wL' }]);
    expect(project.destinations).toHaveLength(destinations);
    expect(project.destinations[0]).toMatchObject({ transformation: 'Mask' });
    expect(project.destinations[0]).not.toHaveProperty('enabled');
    expect(project.connections).toHaveLength(destinations);
    expect(project.transformations).toHaveLength(1);
    expect(losses.map(({ what }) => what).filter((what) => what.includes('transformation'))).toEqual([]);
  },
);

it('a secret of the export keeps its value, although a variable of the project files has the name', async () => {
  const { env, project } = await imported(workspace());
  expect(env).toMatchObject({ HOOK_HEADERS_0_TO: 'of the files', HOOK_HEADERS_0_TO_2: 'clear-text-secret' });
  expect(project.destinations[0]?.config).toMatchObject({ headers: [{ to: '{{ env.HOOK_HEADERS_0_TO_2 }}' }] });
});
