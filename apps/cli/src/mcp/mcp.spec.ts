import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { useCommandLine } from '../../test/command-line.js';
import { leafCommands, pathOf } from '../core/commands.js';
import type { Io } from '../core/io.js';
import { Cli, type RunLine } from '../core/run.js';
import { buildProgram, runCli } from '../program.js';
import { EFFECTS } from './effects.js';
import { mcpServer } from './server.js';

const { io, folder } = useCommandLine();
const TOKEN = 'token-of-the-caller';
const here = io({ env: { WEIR_URL: 'http://127.0.0.1:1', WEIR_TOKEN: TOKEN, OTHER: 'x' } });
const program = buildProgram(new Cli(here, runCli), '1.2.3');

/** A client of a server whose commands are run by `run`. */
async function clientOf(run: RunLine, mayWrite = false, own: Io = here): Promise<Client> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(program, own, run, mayWrite).connect(theirs);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(mine);
  return client;
}
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

it('what each command does is written down', () => {
  expect(leafCommands(program).map(pathOf).sort()).toEqual(Object.keys(EFFECTS).sort());
});

it('without --write there are the commands that read, and the dry runs of those that write', async () => {
  const reading = await namesOf(await clientOf(runCli));
  expect(reading).toEqual(expect.arrayContaining(['status', 'plan', 'regulation_show', 'forget']));
  const all = await namesOf(await clientOf(runCli, true));
  const added = all.filter((name) => !reading.includes(name));
  expect(added).toEqual(expect.arrayContaining(['apply', 'publish', 'trigger', 'regulation_cancel']));
  for (const name of ['login', 'dev', 'tail', 'mcp', 'import_rudderstack']) expect(all).not.toContain(name);
});

it.each([
  ['trace', { messageId: 'm1' }, ['--json', 'trace', 'm1']],
  ['replay', { since: '--yes', dryRun: true, id: ['1', '2'] }, ['--since=--yes', '--id=1', '--id=2', '--dry-run']],
  ['suppress', { userIds: ['a', 'b'], dryRun: true }, ['suppress', '--dry-run', 'a', 'b']],
  ['diff', { project: 'shop', check: true }, ['diff', '--project=shop', '--check']],
])('%s gets its arguments as words', async (name, input, words) => {
  const lines: (readonly string[])[] = [];
  const client = await clientOf(async (argv) => lines.push(argv) && 0);
  await client.callTool({ name, arguments: input });
  expect(lines).toEqual([expect.arrayContaining(words)]);
});

it.each([
  ['trace', {}],
  ['trace', { messageId: '--help' }],
  ['trace', { messageId: 'm', more: 1 }],
  ['plan', { dir: '../other' }],
  ['plan', { dir: '/etc' }],
  ['replay', { stage: 'nowhere', dryRun: true }],
  ['forget', { userIds: ['u1'] }],
  ['forget', { userIds: ['u1'], dryRun: false }],
  ['forget', { userIds: [], dryRun: true }],
  ['types', { out: 'events.d.ts' }],
  ['apply', {}],
])('%s refuses %j, and runs nothing', async (name, input) => {
  const ran: unknown[] = [];
  const client = await clientOf(async (argv) => ran.push(argv) && 0);
  expect(await client.callTool({ name, arguments: input })).toMatchObject({ isError: true });
  expect(ran).toEqual([]);
});

it('answers hide the token, are cut when they are long, and tell failures', async () => {
  const answers: [string, number][] = [
    [`{"url":"${TOKEN}"}`, 0],
    ['ä'.repeat(100_000), 5],
    ['{"error":{}}', 1],
  ];
  const client = await clientOf(async (_, own) => {
    const [text, code] = answers.shift() ?? ['', 0];
    own.out(text);
    expect([own.env['OTHER'], own.isInteractive, await own.readInput()]).toEqual([undefined, false, '']);
    return code;
  });
  const call = async () => client.callTool({ name: 'status', arguments: {} });
  expect(await call()).toEqual({ content: [{ type: 'text', text: '{"url":"***"}' }] });
  const { content, isError } = (await call()) as { content: { text: string }[]; isError?: boolean };
  expect(Buffer.byteLength(content[0]?.text ?? '')).toBeLessThan(66_000);
  expect([content[0]?.text.includes('cut after'), isError]).toEqual([true, undefined]);
  expect(await call()).toEqual({ content: [{ type: 'text', text: '{"error":{}}' }], isError: true });
});

it.each([
  ['plan', 'code of elsewhere', { 'weir.yaml': 'transformations: [{ name: a, file: ../outside.js }]' }],
  [
    'plan',
    'events of elsewhere',
    { 'weir.yaml': 'transformations: [{ name: a, file: a.js, events: ../outside.js }]', 'a.js': '' },
  ],
  ['plan', 'a value of elsewhere', { 'weir.yaml': 'credentials: [{ key: a, value: "{{ file.../outside.js }}" }]' }],
  ['diff', 'code of elsewhere', { 'weir.yaml': 'libraries: [{ name: a, file: ../outside.js }]' }],
  ['diff', 'code of elsewhere, through a link', { 'weir.yaml': 'version: 1', 'transformations/a.js': null }],
  ['plan', 'code of elsewhere, through a link', { 'weir.yaml': 'version: 1', 'transformations/a.js': null }],
])('%s refuses %s', async (name, _, files) => {
  const cwd = mkdtempSync(join(folder, 'confined-'));
  writeFileSync(join(folder, 'outside.js'), '// outside');
  mkdirSync(join(cwd, 'transformations'));
  for (const [path, text] of Object.entries(files))
    if (text === null) symlinkSync(join(folder, 'outside.js'), join(cwd, path));
    else writeFileSync(join(cwd, path), text);
  const client = await clientOf(runCli, false, { ...here, cwd });
  const { content } = (await client.callTool({ name, arguments: {} })) as { content: { text: string }[] };
  expect(JSON.parse(content[0]?.text ?? '').error.message).toMatch(
    /outside of the folder|create the file .*, in the folder/,
  );
});

it('names of files are refused that lead elsewhere through a link', async () => {
  symlinkSync(tmpdir(), join(folder, 'elsewhere'));
  const client = await clientOf(async () => 0);
  const input = { name: 'plan', arguments: { dir: 'elsewhere' } };
  expect(await client.callTool(input)).toMatchObject({ isError: true });
});

it('runs the commands themselves', async () => {
  const client = await clientOf(runCli);
  const { content, isError } = (await client.callTool({ name: 'status', arguments: {} })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ error: { exitCode: 6 } });
});
