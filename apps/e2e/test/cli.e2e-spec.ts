import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { isTestBrokerReliable, until } from '@weir/testing';
import { PROGRAM, type Ran, runWeir } from './support/command-line.js';
import { eventsAt, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source } from './support/inventory.js';
import { newWorkspace, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

const EVENT = { type: 'track', event: 'Bought', userId: 'u1', context: { traits: { email: 'ada@example.com' } } };

const folder = mkdtempSync(join(tmpdir(), 'weir-cli-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hook = useHook();
const isReliable = await isTestBrokerReliable();
let own: Workspace;
let env: NodeJS.ProcessEnv;
let url: string;
beforeAll(async () => {
  own = await newWorkspace();
  url = sharedStack().urls[0] ?? '';
  env = { PATH: process.env['PATH'], HOME: folder, WEIR_URL: url, WEIR_TOKEN: own.tokens.admin };
});

const weir = (
  args: readonly string[],
  { cwd = folder, input = '', also = {} as NodeJS.ProcessEnv } = {},
): Promise<Ran> => runWeir(args, { cwd, input, env: { ...env, ...also } });

describe('credentials', () => {
  const withoutToken = { also: { WEIR_URL: '', WEIR_TOKEN: '' } };

  it('login keeps the token for its owner, status says who it is, logout forgets it', async () => {
    const login = ['login', '--url', url, '--token-stdin'];
    expect(await weir(login, { ...withoutToken, input: 'no-such-token' })).toMatchObject({ code: 3, out: '' });
    expect((await weir(['login'], withoutToken)).code).toBe(2);
    expect((await weir(login, { ...withoutToken, input: `${own.tokens.admin}\n` })).code).toBe(0);
    expect(statSync(join(folder, '.config/weir/credentials.json')).mode & 0o777).toBe(0o600);

    const { json } = await weir(['status', '--json'], withoutToken);
    expect(json).toMatchObject({ url, workspace: { id: own.id } });
    expect((await weir(['logout'], withoutToken)).code).toBe(0);
    expect((await weir(['status'], withoutToken)).code).toBe(3);
  });

  it('doctor finds a stack well but for a broker with known loss, and tells when nobody answers', async () => {
    const names = (checks: { name: string; ok: boolean }[]) => checks.map(({ name }) => name);
    const well = await until('a stack that is well', async () => {
      const { json } = await weir(['doctor', '--json']);
      const ill = json.checks.filter(({ ok }: { ok: boolean }) => !ok);
      return isDeepStrictEqual(names(ill), isReliable ? [] : ['broker']) && json;
    });
    expect(names(well.checks)).toEqual([
      ...['server', 'versions', 'readiness', 'intake', 'clock', 'token'],
      ...['processes', 'broker', 'lag', 'clocks', 'deliveries'],
    ]);
    const ill = await weir(['doctor'], { also: { WEIR_URL: 'http://127.0.0.1:1' } });
    expect(ill).toMatchObject({ code: 5, out: expect.stringContaining('did not answer') });
  });
});

describe('code', () => {
  const project = join(folder, 'shop');
  const file = join(project, 'transformations/mask-e-mail.js');
  const here = { cwd: project };

  it('goes from a new folder to live, and only once', async () => {
    expect((await weir(['init', 'shop'])).code).toBe(0);
    expect((await weir(['init', 'shop'])).code).toBe(2);
    const tested = await weir(['test', '--junit', 'report.xml'], here);
    expect([tested.code, tested.err]).toEqual([0, '']);
    expect(readFileSync(join(project, 'report.xml'), 'utf8')).toContain('<testsuite name="mask e-mail"');
    expect((await weir(['transformations', 'list', '--json'])).json).toMatchObject([{ isPublished: false }]);

    expect(await weir(['publish', '--commit', 'c0ffee'], here)).toMatchObject({ code: 0, err: '' });
    expect((await weir(['publish'], here)).out).toContain('nothing to publish');
    expect((await weir(['transformations', 'list', '--json'])).json).toMatchObject([
      { name: 'mask e-mail', isPublished: true },
    ]);
    expect((await weir(['libraries', 'list', '--json'])).json).toMatchObject([{ name: 'masks', isPublished: true }]);
    expect(await weir(['diff', '--check'], here)).toMatchObject({ code: 0, out: 'The workspace has this code.\n' });
    expect((await weir(['diff'])).code).toBe(2);
  });

  it('that fails its test stays a draft, and says where it failed', async () => {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, 'export function transformEvent(event) {\n  return event.missing.part;\n}\n');
    const differs = await weir(['diff', '--check'], here);
    expect([differs.code, differs.out]).toEqual([5, expect.stringContaining('+  return event.missing.part;')]);
    const tested = await weir(['test', '--changed', '--github', '--json'], here);
    expect(tested).toMatchObject({ code: 5, json: { pass: false } });
    expect(tested.err).toContain('::error file=transformations/mask-e-mail.js,line=2,');
    expect(await weir(['publish'], here)).toMatchObject({
      code: 5,
      out: expect.stringContaining('Nothing was published'),
    });
    expect((await weir(['publish', 'nobody'], here)).code).toBe(2);
    writeFileSync(file, `${before}// second\n`);
    expect((await weir(['publish'], here)).code).toBe(0);
  });

  it('has a history, and goes back in it', async () => {
    const { json } = await weir(['history', 'mask e-mail', '--json']);
    const first = json.find(({ commitId }: { commitId?: string }) => commitId === 'c0ffee');
    expect(first.isPublished).toBe(false);
    expect((await weir(['rollback', 'mask e-mail', '--to', first.versionId])).code).toBe(0);
    expect((await weir(['diff', '--check'], here)).code).toBe(5);
    expect((await weir(['rollback', 'mask e-mail'])).code).toBe(2);
    expect((await weir(['history', 'nobody'])).code).toBe(4);
    expect((await weir(['history', 'masks', '--library', '--json'])).json).toHaveLength(1);
  });
});

describe('events', () => {
  let source: Source;
  beforeAll(async () => {
    source = await newSource(own.writer, { name: 'shop site' });
    const destination = await newWebhook(own.writer, `${hook.url}/cli`, { name: 'shop hook' });
    await connect(own.writer, source, destination);
    writeFileSync(join(folder, 'event.json'), JSON.stringify(EVENT));
  });

  it('are triggered, watched, traced and replayed', async () => {
    hook.answer({ status: 422, body: { problem: 'no such plan' } });
    const tail = spawn(
      process.execPath,
      [PROGRAM, 'tail', '--source', 'shop site', '--status', 'accepted', '--limit', '1'],
      {
        env,
      },
    );
    let [watched, notes] = ['', ''];
    tail.stdout.on('data', (chunk) => {
      watched += chunk;
    });
    tail.stderr.on('data', (chunk) => {
      notes += chunk;
    });
    const ended = once(tail, 'exit');
    await until('the view to be open', () => notes.includes('Watching'));

    const { json } = await weir(['trigger', 'event.json', '--source', 'shop site', '--json']);
    const messageId = json.messageIds[0];
    expect(await ended).toEqual([0, null]);
    expect(watched).toContain(messageId);

    await until('the event to be dead', async () => {
      const trace = await weir(['trace', messageId, '--json']);
      return trace.code === 0 && trace.json.destinations[0]?.status === 'dead';
    });
    expect((await weir(['trace', messageId])).out).toContain('shop hook: dead');

    hook.answer({ status: 200 });
    await until('one dead letter to replay', async () => {
      const plan = await weir(['replay', '--destination', 'shop hook', '--since', '2h', '--dry-run', '--json']);
      return plan.code === 0 && plan.json.deliveries === 1 && plan.json.dryRun;
    });
    expect((await weir(['replay', '--destination', 'shop hook', '--json'])).json).toMatchObject({ deliveries: 1 });
    await until('the replayed event', () => eventsAt(hook, '/cli').length === 2);
  });

  it('have types', async () => {
    await until('the model of the event', async () => {
      const { code, out } = await weir(['types', '--source', 'shop site']);
      return code === 0 && out.includes('Bought');
    });
  });

  it.each([
    [2, ['trigger', 'nothing.json']],
    [2, ['tail', '--type', 'click']],
    [2, ['replay', '--since', '2h']],
    [4, ['trace', 'nobody-sent-this']],
    [4, ['tail', '--source', 'nobody']],
    [4, ['types', '--source', 'nobody']],
  ])('a failure ends with %i: weir %p', async (code, args) => {
    expect(await weir(args)).toMatchObject({ code, out: '', err: expect.stringContaining('✗') });
  });
});

describe('users', () => {
  it('are suppressed, looked up, and let through again', async () => {
    expect((await weir(['suppress', 'ada', '--dry-run', '--json'])).json).toMatchObject({ dryRun: true, users: 1 });
    const made = await weir(['suppress', 'ada', '--json']);
    const [{ id }] = made.json;
    expect((await weir(['regulation', 'list', '--user', 'ada', '--json'])).json).toMatchObject([{ id }]);
    expect((await weir(['receipt', 'get', id])).code).toBe(1);
    expect((await weir(['regulation', 'cancel', id])).code).toBe(0);
    expect((await weir(['regulation', 'show', id, '--json'])).json).toMatchObject({ canceled: true });
    expect((await weir(['regulation', 'show', UNKNOWN_UUID])).code).toBe(4);
  });

  it('are forgotten by those who may', async () => {
    expect((await weir(['forget', 'ada', '--dry-run'])).code).toBe(0);
    const asReader = { also: { WEIR_TOKEN: own.tokens['read-only'] } };
    expect(await weir(['forget', 'ada', '--yes'], asReader)).toMatchObject({ code: 3, out: '' });
  });
});
