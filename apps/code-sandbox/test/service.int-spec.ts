import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AppError,
  type Call,
  CheckCode,
  CODE_SWITCHED_SUBJECT,
  type CodeSwitched,
  healthCall,
  type ReplyOf,
  type RequestInputOf,
  RunCode,
} from '@weir/contracts';
import { PatientRpcClient, until, useNats } from '@weir/testing';

const MAIN_SCRIPT = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const CHILDREN_SCRIPT = fileURLToPath(new URL('../dist/children.js', import.meta.url));

// Outside the describe, so that the service has left before the server closes.
const nats = useNats();

/** Sends again while the sandbox says that it is busy: on a busy machine its children take long to start. */
const client = {
  send: <C extends Call>(call: C, request: RequestInputOf<C>): Promise<ReplyOf<C>> =>
    until('the sandbox to have time', () =>
      new PatientRpcClient(nats.connection).send(call, request).catch((error: AppError) => {
        if (error.code !== 'unavailable') throw error;
        return undefined;
      }),
    ),
};

describe.each([
  ['with children of its own', false],
  ['with children in a container beside it', true],
])('the service %s', (_how, isApart) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-sandbox-'));
  const socket = join(folder, 'children.sock');
  let service: ReturnType<typeof spawn>;
  let children: ReturnType<typeof spawn> | undefined;
  let output = '';

  beforeAll(async () => {
    if (isApart) children = spawn(process.execPath, [CHILDREN_SCRIPT, socket], { env: {}, stdio: 'inherit' });
    service = spawn(process.execPath, [MAIN_SCRIPT], {
      env: { NATS_CREDENTIALS_FD: '3', LOG_LEVEL: 'warn', ...(isApart && { SANDBOX_CHILDREN_SOCKET: socket }) },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk) => (output += chunk));
    (service.stdio[3] as Writable).end(nats.url);
    await once(service, 'message');
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    children?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const bundle = (code: string) => ({ ...RunCode.example.request.bundle, key: code, code });
  const request = (code: string, events = RunCode.example.request.events) => ({
    ...RunCode.example.request,
    bundle: bundle(code),
    events,
  });

  it('runs code', async () => {
    const reply = await client.send(RunCode, {
      ...request('export const transformEvent = (e) => (log(e.type), e);'),
      mode: 'test',
    });
    const result = { status: 'ok', outputs: [{ type: 'track' }], milliseconds: expect.any(Number) };
    expect(reply).toEqual({ results: [result], logs: ['Log: track'], runtime: 'warm' });
  });

  it('checks code', async () => {
    const { workspaceId } = RunCode.example.request;
    expect(
      await client.send(CheckCode, { workspaceId, kind: 'library', bundle: bundle('export const a = 1;') }),
    ).toEqual({});
    const reply = await client.send(CheckCode, { workspaceId, kind: 'library', bundle: bundle('export const a = (') });
    expect(reply.error?.message).toMatch(/^SyntaxError/);
  });

  it('returns a large result whole and refuses one that does not fit', async () => {
    const code = 'export const transformEvent = () => ({ text: "x".repeat(600000) });';
    const { results } = await client.send(RunCode, request(code));
    expect(results[0]).toMatchObject({ status: 'ok' });
    const twice = client.send(
      RunCode,
      request(code, [...RunCode.example.request.events, ...RunCode.example.request.events]),
    );
    await expect(twice).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuses an invalid request', async () => {
    const sending = client.send(RunCode, request('export const transformEvent = (e) => e;', []));
    await expect(sending).rejects.toMatchObject({ code: 'invalid' });
  });

  it('refuses the code of a workspace while an operator has switched it off', async () => {
    const tell = async (fact: CodeSwitched | string) => {
      nats.connection.publish(CODE_SWITCHED_SUBJECT, JSON.stringify(fact));
      await nats.connection.flush();
    };
    const { workspaceId } = RunCode.example.request;
    const other = '0ujzPyRiIAffKhBux4PvQdDqMHY';
    const outcomes = async () => {
      const identity = request('export const transformEvent = (e) => e;');
      const runs = [workspaceId, other].map((id) => client.send(RunCode, { ...identity, workspaceId: id }));
      return (await Promise.allSettled(runs)).map((each) => (each.status === 'fulfilled' ? 'ran' : each.reason.code));
    };
    await tell({ workspaceId, disabled: true });
    expect(await outcomes()).toEqual(['disabled', 'ran']);
    await tell('nonsense');
    await tell({ disabled: true });
    await tell({ workspaceId, disabled: false });
    expect(await outcomes()).toEqual(['disabled', 'disabled']);
    await tell({ disabled: false });
    expect(await outcomes()).toEqual(['ran', 'ran']);
  });

  it('passes any text on unchanged', async () => {
    const reply = await client.send(RunCode, {
      ...request('export const transformEvent = (e, metadata) => ({ ...e, ...metadata(e) });', [
        { message: { key: '€ \u2028 "}]' }, metadata: { of: 'ü' } },
      ]),
    });
    expect(reply.results).toEqual([{ status: 'ok', outputs: [{ key: '€ \u2028 "}]', of: 'ü' }] }]);
  });

  it('is healthy and never logs credentials', async () => {
    expect(await client.send(healthCall('code-sandbox.main'), {})).toEqual({ ready: true, reasons: [] });
    expect(output).not.toContain(new URL(nats.url).password || 'nats://');
  });

  it('finishes its runs when it is told to stop', async () => {
    const slow =
      'export const transformEvent = (e) => { for (const end = Date.now() + 300; Date.now() < end; ); return e; };';
    const running = client.send(RunCode, request(slow));
    await nats.connection.flush();
    const exited = once(service, 'exit');
    service.kill('SIGTERM');
    expect((await running).results).toMatchObject([{ status: 'ok' }]);
    expect(await exited).toEqual([0, null]);
  });
});
