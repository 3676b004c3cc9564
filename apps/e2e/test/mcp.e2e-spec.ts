import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { sharedStack } from '@weir/local';
import { PROGRAM } from './support/command-line.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'weir-mcp-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

/** An assistant that has started `weir mcp` as its client does. */
async function assistant(...args: string[]): Promise<Client> {
  const env = { HOME: folder, WEIR_URL: sharedStack().urls[0] ?? '', WEIR_TOKEN: own.tokens.admin };
  const client = new Client({ name: 'e2e', version: '1' });
  clients.push(client);
  const command = { command: process.execPath, args: [PROGRAM, 'mcp', ...args], cwd: folder, env };
  await client.connect(new StdioClientTransport(command));
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: input });
  const [{ text }] = answer.content as [{ text: string }];
  return { isError: answer.isError === true, text, json: () => JSON.parse(text) };
}

it('an assistant reads, and cannot write unless it may', async () => {
  const reader = await assistant();
  const { tools } = await reader.listTools();
  const trace = tools.find(({ name }) => name === 'trace');
  expect(trace).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { required: ['messageId'] } });
  const status = await call(reader, 'status');
  expect(status.json()).toMatchObject({ workspace: { id: own.id }, credentials: 'WEIR_TOKEN' });
  expect(await call(reader, 'suppress', { userIds: ['ada'] })).toMatchObject({ isError: true });
  expect((await call(reader, 'suppress', { userIds: ['ada'], dryRun: true })).json()).toMatchObject({ users: 1 });
  expect((await call(reader, 'regulation_list')).json()).toEqual([]);

  const writer = await assistant('--write');
  expect((await call(writer, 'suppress', { userIds: ['ada'] })).isError).toBe(false);
  expect((await call(reader, 'regulation_list')).json()).toMatchObject([{ attributes: { userId: 'ada' } }]);
});

it('wrong arguments and refusals of the API are told', async () => {
  const reader = await assistant();
  expect(await call(reader, 'trace')).toMatchObject({ isError: true, text: expect.stringContaining('messageId') });
  const unknown = await call(reader, 'trace', { messageId: 'nobody-sent-this' });
  expect([unknown.isError, unknown.json()]).toMatchObject([true, { error: { exitCode: 4 } }]);
});
