import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { isTestBrokerReliable, until } from '@weir/testing';
import ts from 'typescript';
import { PROGRAM, useCommandLine } from './support/command-line.js';
import { useHook } from './support/hook.js';

/** Every command has an example in the guide, and this file runs each, in a shell, as a reader pastes it. */
const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
/** Its example is for the settings of an assistant. `mcp.e2e-spec.ts` drives it. */
const NOT_FOR_SHELLS = ['mcp'];

/** Lines of the shell blocks of a section, by command. */
const sections = new Map(
  GUIDE.split(/^### `weir /m)
    .slice(1)
    .map((section) => {
      const [text = ''] = section.split(/^## /m);
      const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim().split('\n'));
      return [text.slice(0, text.indexOf('`')), blocks.flat()] as const;
    }),
);
const ran = new Set<string>();

const shell = useCommandLine();
const hook = useHook();
const { folder } = shell;
const project = join(folder, 'my-events');

/** Stands in for the transformer of the incumbent, which drops every event. */
const transformer = createServer((_, response) => response.end('[]'));
beforeAll(async () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/weir'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(folder, 'bin/weir'), 0o755);
  await new Promise<void>((done) => transformer.listen(0, '127.0.0.1', done));
});
afterAll(() => void transformer.close());

interface Surroundings {
  cwd?: string;
  /** Texts of the example that stand for something of the reader. */
  replace?: Record<string, string>;
}

/** The example lines of a section. Line `at` of them, or all. */
function linesOf(command: string, at?: number): string[] {
  const lines = sections.get(command) ?? [];
  ran.add(command);
  return at === undefined ? lines : lines.slice(at, at + 1);
}

function start(line: string, { cwd = project, replace = {} }: Surroundings) {
  const text = Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), line);
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
  const child = spawn('sh', ['-c', `exec ${text}`], { cwd, env: { PATH, HOME: folder, GITHUB_SHA: 'c0ffee' } });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed.text += chunk;
    });
  child.stdin.end();
  return { child, printed, ended: once(child, 'close').then(([code]) => Number(code)) };
}

/** Runs lines, each of which has to end with this code. */
async function run(lines: readonly string[], code = 0, surroundings: Surroundings = {}): Promise<string> {
  expect(lines.length).toBeGreaterThan(0);
  let all = '';
  for (const line of lines) {
    const { printed, ended } = start(line, surroundings);
    expect([line, await ended, printed.text]).toEqual([line, code, printed.text]);
    all += printed.text;
  }
  return all;
}

/** Runs a line again until it ends with this code, for what takes a moment on the server. */
const runUntil = (line: string, code = 0, surroundings: Surroundings = {}) =>
  until(line, async () => {
    const { printed, ended } = start(line, surroundings);
    return (await ended) === code && printed.text;
  });

/** Starts a line that goes on until Ctrl-C, waits until it has printed the text, and ends it. */
async function watch(line: string, text: string, meanwhile: () => Promise<unknown> = async () => undefined) {
  const { child, printed, ended } = start(line, {});
  await until(`${text} of ${line}`, async () => {
    await meanwhile();
    return printed.text.includes(text);
  });
  child.kill('SIGINT');
  expect([line, [0, 130].includes(await ended)]).toEqual([line, true]);
}

/** Says whether a call compiles with the types that the command has written. */
function typeErrors(call: string): string[] {
  const file = join(project, 'app.ts');
  writeFileSync(file, `import type { SdkCalls } from './calls';\ndeclare const analytics: SdkCalls;\n${call}\n`);
  const program = ts.createProgram([file], { strict: true, noEmit: true, types: [] });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const json = async (...args: string[]) => (await shell.run([...args, '--json'])).json;

it('begins with a login and a folder', async () => {
  writeFileSync(join(folder, 'token.txt'), `${shell.workspace.tokens.admin}\n`);
  const replace = { 'https://weir.example.com': sharedStack().urls[0] ?? '' };
  await run(linesOf('login'), 0, { cwd: folder, replace });
  await run(linesOf('status'), 0, { cwd: folder });
  const [doctor = ''] = linesOf('doctor');
  await runUntil(doctor, (await isTestBrokerReliable()) ? 0 : 5, { cwd: folder });
  await run(linesOf('init'), 0, { cwd: folder });
});

it('keeps a workspace as files', async () => {
  const resources = {
    sources: [{ name: 'my site', type: 'HTTP' }],
    destinations: [
      {
        ...{ name: 'my server', type: 'WEBHOOK', transformation: 'mask e-mail' },
        config: { webhookUrl: `${hook.url}/guide`, deletionUrl: `${hook.url}/forget` },
      },
    ],
    connections: [{ source: 'my site', destination: 'my server' }],
  };
  const yaml = Object.entries(resources).map(([kind, list]) => `${kind}: ${JSON.stringify(list)}\n`);
  writeFileSync(join(project, 'weir.yaml'), `${readFileSync(join(project, 'weir.yaml'), 'utf8')}${yaml.join('')}`);
  await run(linesOf('plan'), 5);
  await run(linesOf('apply'));
  await run(linesOf('export'));
  await run(linesOf('schema'));
  expect(JSON.parse(readFileSync(join(project, 'weir.schema.json'), 'utf8'))).toHaveProperty('properties');
});

it('moves in from others', async () => {
  const files = {
    'workspaceConfig.json': { sources: [] },
    'sources.json': { data: { sources: [] } },
    'destinations.json': { data: { destinations: [] } },
    'functions.json': { data: { functions: [] } },
    'instances.json': { data: { insertFunctionInstances: [] } },
  };
  for (const cwd of ['incumbent', 'segment'].map((name) => join(folder, name))) {
    mkdirSync(cwd);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(cwd, file), JSON.stringify(content));
  }
  await run(linesOf('import rudderstack'), 0, { cwd: join(folder, 'incumbent') });
  await run(linesOf('import segment'), 0, { cwd: join(folder, 'segment') });
});

it('tests and publishes code, and goes back', async () => {
  const [dev = '', ...once] = linesOf('dev');
  await watch(dev, ' passed, 0 failed');
  await run(once);
  const file = join(project, 'transformations/mask-e-mail.js');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, `${before}// second\n`);
  await run(linesOf('test'));
  await run(linesOf('publish'));
  await run(linesOf('transformations list'));
  await run(linesOf('libraries list'));
  await run(linesOf('history'));
  const earlier = (await json('history', 'mask e-mail')).at(-1);
  const [, example = ''] = /--to (\w+)/.exec(GUIDE) ?? [];
  await run(linesOf('rollback'), 0, { replace: { [example]: earlier.versionId } });
  await run(linesOf('diff'), 5);
  writeFileSync(file, before);
  await run(linesOf('diff'));
});

it('sends, watches and repeats events', async () => {
  const order = { type: 'track', event: 'Ordered', userId: 'u1', messageId: 'order-17', properties: { price: 7 } };
  writeFileSync(join(project, 'orders.json'), JSON.stringify([order]));
  hook.answer({ status: 422, body: { problem: 'no such plan' } });
  const [sample = '', orders = '', piped = ''] = linesOf('trigger');
  const [ofSource = '', dead = ''] = linesOf('tail');
  await watch(ofSource, 'Bought', () => run([sample]));
  await watch(dead, '"messageId"', () => run([sample]));
  await run([orders, piped]);
  const [trace = ''] = linesOf('trace');
  await until('the order to be dead', async () => (await runUntil(trace)).includes('my server: dead'));
  const [replay = '', range = '', against = ''] = linesOf('replay');
  await runUntil(replay);
  await run([range], 1); // this stack has no archive, and archive.e2e-spec.ts has one
  await run(linesOf('replays list'));
  for (const command of ['show', 'pause', 'resume', 'cancel']) await run(linesOf(`replays ${command}`), 4);
  await run([against]);
  const [types = '', calls = ''] = linesOf('types');
  await until('the types of the order', async () => {
    await run([types]);
    return readFileSync(join(project, 'events.d.ts'), 'utf8').includes('Ordered');
  });
  await run([calls]);
  expect(typeErrors(`analytics.track('Ordered', { price: 7 });`)).toEqual([]);
  const wrong = "Type 'string' is not assignable to type 'number'.";
  expect(typeErrors(`analytics.track('Ordered', { price: '7' });`)).toEqual([wrong]);
  const { port } = transformer.address() as AddressInfo;
  await run(linesOf('compare'), 5, { replace: { 'http://localhost:9090': `http://127.0.0.1:${port}` } });
});

it('stops and forgets users, and proves it', async () => {
  hook.answer({ status: 200 });
  await run(linesOf('suppress'));
  await run(linesOf('forget'));
  await run(linesOf('regulation list'));
  const [{ id }] = await json('regulation', 'list', '--user', 'u1');
  const [example = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(GUIDE) ?? [];
  const replace = { [example]: id };
  await run(linesOf('regulation show'), 0, { replace });
  const [get = ''] = linesOf('receipt get');
  await runUntil(get, 0, { replace });
  await run(linesOf('receipt verify'));
  await run(linesOf('regulation cancel'), 0, { replace });
});

it('completes commands, cleans up and logs out', async () => {
  for (const path of ['.local/share/bash-completion/completions', '.zfunc', '.config/fish/completions'])
    mkdirSync(join(folder, path), { recursive: true });
  await run(linesOf('completion'));
  await run(linesOf('destroy'));
  await run(linesOf('logout'));
});

it('leaves out no command', () => {
  const left = [...sections.keys()].filter((command) => !ran.has(command));
  expect(left).toEqual(NOT_FOR_SHELLS);
});
