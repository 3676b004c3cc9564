import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { runWeir } from './support/command-line.js';
import { useHook } from './support/hook.js';
import { newWebhook } from './support/inventory.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

interface Asked {
  message: Record<string, unknown>;
  metadata: object;
  destination: { Config: { webhookUrl: string } };
}

const folder = mkdtempSync(join(tmpdir(), 'weir-compare-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hook = useHook();
let own: Workspace;
let env: NodeJS.ProcessEnv;

/** Speaks as the transformer of the incumbent, and makes of events what a test needs. */
const paths: string[] = [];
const transformer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  paths.push(request.url ?? '');
  const answers = (JSON.parse(body) as Asked[]).flatMap<object>(({ message, metadata, destination }) => {
    if (message['event'] === 'Lost') return [];
    if (message['event'] === 'Refused') return [{ error: 'no', statusCode: 400, metadata }];
    const sent = message['event'] === 'Other' ? { ...message, event: '<b>Other</b>' } : message;
    const output = {
      ...{ version: '1', type: 'REST', method: 'POST', endpoint: destination.Config.webhookUrl, userId: '' },
      ...{ headers: { 'content-type': 'application/json' }, params: {}, files: {} },
      body: { JSON: sent, JSON_ARRAY: {}, XML: {}, FORM: {} },
    };
    return [{ output, statusCode: 200, metadata }];
  });
  response.writeHead(request.url === '/v0/destinations/webhook' ? 200 : 404).end(JSON.stringify(answers));
});
let url: string;
beforeAll(async () => {
  own = await newWorkspace();
  const address = { WEIR_URL: sharedStack().urls[0] ?? '', WEIR_TOKEN: own.tokens.admin };
  env = { PATH: process.env['PATH'], HOME: folder, ...address };
  await new Promise<void>((done) => transformer.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(transformer.address() as AddressInfo).port}`;
  await newWebhook(own.writer, `${hook.url}/compare`, { name: 'shop hook' });
});
afterAll(() => new Promise((done) => transformer.close(done)));

const events = (file: string, ...names: string[]) =>
  writeFileSync(
    join(folder, file),
    JSON.stringify(names.map((event, at) => ({ type: 'track', event, userId: 'u', messageId: `m${at}` }))),
  );
const compare = (args: readonly string[], also: NodeJS.ProcessEnv = {}) =>
  runWeir(['compare', '--json', ...args], { cwd: folder, env: { ...env, ...also } });

it('both sides get the same events, and the report tells what differs', async () => {
  events('events.json', 'Same', 'Other', 'Lost', 'Refused');
  const ran = await compare(['--with', url, '--events', 'events.json', '--record', 'answers.json']);
  expect(ran).toMatchObject({ code: 5, json: { equal: false, events: 4, report: 'weir-compare.html' } });
  expect(ran.json.destinations).toMatchObject([{ destination: 'shop hook', equal: 1, different: 2, missing: 1 }]);
  const fields = ran.json.destinations[0].fields.map(({ path }: { path: string }) => path).sort();
  expect(fields).toEqual(['(outcome)', '*.body.JSON.event']);
  const report = readFileSync(join(folder, 'weir-compare.html'), 'utf8');
  expect(report).toContain('&#60;b&#62;Other&#60;/b&#62;');
  expect(report).not.toContain('<b>');
  expect(statSync(join(folder, 'weir-compare.html')).mode & 0o777).toBe(0o600);
  expect(paths).toEqual(['/v0/destinations/webhook']);
  expect(hook.requests).toEqual([]);

  const again = await compare(['--with', 'answers.json', '--events', 'events.json']);
  expect(again.json.destinations).toEqual(ran.json.destinations);
});

it('ends well if both sides are equal', async () => {
  events('same.json', 'Same');
  expect(await compare(['--with', url, '--events', 'same.json'])).toMatchObject({ code: 0, json: { equal: true } });
});

it('a kind that the incumbent has not is told', async () => {
  const other = await newWorkspace();
  const body = { name: 'own', type: 'HTTP', config: { apiUrl: `${hook.url}/own`, method: 'POST', format: 'JSON' } };
  await other.writer.post('/v2/destinations', body);
  const ran = await compare(['--with', url, '--events', 'same.json'], { WEIR_TOKEN: other.tokens.admin });
  expect(ran.json.destinations).toMatchObject([{ missing: 1, problem: '/v0/destinations/http answers 404' }]);
});

it.each([
  [6, ['--with', 'http://127.0.0.1:1', '--events', 'same.json']],
  [2, ['--with', 'nothing.json', '--events', 'same.json']],
  [2, ['--with', 'same.json', '--events', 'same.json']],
  [2, ['--with', 'same.json', '--record', 'x.json']],
  [4, ['--with', 'http://127.0.0.1:1', '--destination', 'nobody']],
])('ends with %i: compare %p', async (code, args) => {
  expect(await compare(args)).toMatchObject({ code, out: '' });
});
