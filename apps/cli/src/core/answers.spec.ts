import { existsSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../../test/command-line.js';
import { useServer } from '../../test/server.js';

const { folder, weir } = useCommandLine();

/** The server at the address. A test sets it. */
let listener: RequestListener;
const url = useServer((request, response) => listener(request, response));
let env: Record<string, string>;
beforeAll(() => {
  env = { WEIR_URL: url(), WEIR_TOKEN: 't1' };
});

const answer =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

describe('weir login', () => {
  const login = () => weir('login --token-stdin', { env, readInput: async () => 't1' });

  it.each([
    ['another program', answer(200, {}), 6, 'is not the address of a Weir'],
    ['a web page', answer(200, '<html>', 'text/html'), 6, 'is not JSON'],
    ['a proxy without Weir', answer(502, '<html>', 'text/html'), 6, 'answered 502 Bad Gateway'],
    ['a Weir that does not know the token', answer(401, { message: 'no' }), 3, 'does not know this token'],
  ])('stores nothing if the answer is that of %s', async (_, act, code, problem) => {
    listener = act;
    const ended = await login();
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(problem)]);
    expect(ended.err).not.toContain('<html>');
    expect(existsSync(join(folder, '.config'))).toBe(false);
  });

  it('says how an address looks', async () => {
    const { err } = await weir('login --url localhost:8080 --token-stdin');
    expect(err).toContain('It looks like https://localhost:8080, or http://localhost:8080.');
  });
});

it('a server that does not begin its answer is given up', async () => {
  listener = () => undefined;
  const { code, err } = await weir('status', { env: { ...env, WEIR_TIMEOUT: '1' } });
  expect([code, err]).toEqual([6, expect.stringContaining('no answer within 1 s')]);
  expect(await weir('status', { env: { ...env, WEIR_TIMEOUT: 'soon' } })).toMatchObject({ code: 2 });
});

it('weir status tells who asks', async () => {
  const caller = { email: 'ada@example.com', role: 'write' };
  listener = answer(200, { workspace: { id: 'w', name: 'shop' }, caller, version: '1.0.0' });
  expect((await weir('status', { env })).out).toContain('you are       ada@example.com, with the role write');
});

describe('code that the server does not keep', () => {
  const problem = 'must not be empty';
  const refuse: RequestListener = (request, response) => {
    if (request.method === 'GET') return answer(200, { transformations: [], libraries: [] })(request, response);
    const isLibrary = request.url?.startsWith('/libraries');
    const made = { id: 'l1', versionId: 'v1' };
    return answer(isLibrary ? 200 : 400, isLibrary ? made : { message: problem, details: { code: problem } })(
      request,
      response,
    );
  };

  it.each(['test', 'publish'])('is a failed test of its file for `weir %s`', async (command) => {
    listener = refuse;
    await weir(`init ${command}`);
    const { code, out, err } = await weir(`${command} --project ${command} --junit ${command}.xml --github`, { env });
    expect([code, out]).toEqual([5, expect.stringContaining(`The code ${problem}`)]);
    expect(err).toContain(`::error file=${command}/transformations/mask-e-mail.js,title=`);
    expect(existsSync(join(folder, `${command}.xml`))).toBe(true);
  });
});

it('weir forget asks, and deletes nothing if nobody can answer', async () => {
  let requests = 0;
  listener = (request, response) => {
    requests += 1;
    answer(201, [])(request, response);
  };
  expect(await weir('forget u1', { env })).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(requests).toBe(0);
  expect(await weir('forget u1 --yes', { env })).toMatchObject({ code: 0 });
});

it('weir import refuses what is no workspace export', async () => {
  listener = answer(200, []);
  writeFileSync(join(folder, 'other.json'), '{"a":1}');
  const { code, err } = await weir('import rudderstack other.json', { env });
  expect([code, err]).toEqual([2, expect.stringContaining('it has no `sources`')]);
  expect(existsSync(join(folder, 'weir-import'))).toBe(false);
});

it('weir plan says the same as weir test in a folder that is no project', async () => {
  for (const command of ['plan', 'apply', 'destroy', 'test', 'publish', 'diff'])
    expect(await weir(command, { env })).toMatchObject({ code: 2, err: expect.stringContaining('no weir.yaml in') });
});
