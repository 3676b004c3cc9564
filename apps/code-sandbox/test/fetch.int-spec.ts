import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FetchUrl, type ReplyOf, type RequestOf } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { useNats } from '@weir/testing';
import { FETCHES_PER_RUN_MAX } from '../src/limits.js';
import { failed, ok, track, useSandbox } from './support/sandbox.js';

const nats = useNats();

/** Stands in for the fetcher on a real broker. The fetcher has its own tests. */
const asked: RequestOf<typeof FetchUrl>[] = [];
let inFlight = 0;
let mostInFlight = 0;
beforeAll(() => {
  nats.connection.subscribe(FetchUrl.subject, {
    callback: (_error, message) => {
      const { data } = message.json<{ data: RequestOf<typeof FetchUrl> }>();
      asked.push(data);
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      const { pathname, searchParams } = new URL(data.url);
      const respond = (packet: object) => {
        inFlight -= 1;
        message.respond(JSON.stringify({ ...packet, isDisposed: true }));
      };
      const answer = (body: string): ReplyOf<typeof FetchUrl> => ({
        url: data.url,
        status: 203,
        headers: { 'x-a': 'b' },
        body,
      });
      if (pathname === '/refused') respond({ err: { code: 'invalid', message: 'The address is not allowed' } });
      else if (pathname === '/hang') inFlight -= 1;
      else
        setTimeout(
          () => respond({ response: answer(searchParams.get('body') ?? '{"n":1}') }),
          Number(searchParams.get('ms') ?? 5),
        );
    },
  });
});
beforeEach(() => {
  asked.length = 0;
  mostInFlight = 0;
});

/** Enough for good events on a busy machine, and less than the deadline of one call. */
const LIMIT_MS = 2_000;

describe('fetch', () => {
  const sandbox = useSandbox({ limitMs: LIMIT_MS, rpc: () => new RpcClient(nats.connection) });
  const run = (body: string, more: { head?: string; allowFetch?: boolean; events?: object[] } = {}) =>
    sandbox.run({
      code: `${more.head ?? ''}; export async function transformEvent(e) { ${body} }`,
      allowFetch: more.allowFetch ?? true,
      mode: 'test',
      events: (more.events ?? [{}]) as never,
    });
  const value = async (expression: string, more = {}) => {
    const { results } = await run(`return { value: ${expression} };`, more);
    return results[0]?.status === 'ok' ? results[0].outputs[0]?.['value'] : results[0];
  };
  const U = '"https://host.example';

  it('resolves to the parsed JSON, or to ERROR', async () => {
    expect(await value(`await fetch(${U}/a")`)).toEqual({ n: 1 });
    expect(await value(`await fetch(${U}/a?body=text")`)).toBe('ERROR');
    expect(await value(`await fetch(${U}/refused")`)).toBe('ERROR');
    expect(await value('await fetch()')).toBe('ERROR');
  });

  it('sends method, headers and body, for the workspace of the run', async () => {
    await value(`await fetch(${U}/a", { method: "post", headers: { "X-Key": 5 }, body: JSON.stringify({ a: 1 }) })`);
    expect(asked).toEqual([
      {
        workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
        url: 'https://host.example/a',
        method: 'POST',
        headers: { 'X-Key': '5' },
        body: '{"a":1}',
      },
    ]);
  });

  it('fetchV2 shows the whole answer', async () => {
    const answer = { url: 'https://host.example/a', status: 203, headers: { 'x-a': 'b' }, body: { n: 1 } };
    expect(await value(`await fetchV2(${U}/a")`)).toEqual(answer);
    expect(await value(`(await fetchV2(${U}/a?body=text")).body`)).toBe('text');
  });

  it.each([
    ['fetchV2()', 'fetch url is required'],
    ['fetchV2("nope")', 'invalid url, nope'],
    ['fetchV2("ftp://h/")', 'invalid protocol, only http and https are supported'],
    [`fetchV2(${U}/refused")`, 'The address is not allowed'],
    [`fetchV2(${U}/a", { body: "x".repeat(300000) })`, 'The request is larger than 262144 bytes'],
  ])('%s rejects with a plain object that says why', async (call, message) => {
    const caught = `await ${call}.catch((error) => [error instanceof Error, Object.keys(error), error.message])`;
    expect(await value(caught)).toEqual([false, ['message', 'stack'], message]);
  });

  it('that fails and is not caught is an error at the line of the user', async () => {
    const { results } = await run('await fetchV2("ftp://h/"); return e;');
    const message = expect.stringMatching(/^Error: invalid protocol.*\n\s+at (async )?transformEvent \(my code:1:/);
    expect(results).toMatchObject([{ status: 'error', error: { message, frame: { file: 'my code', line: 1 } } }]);
  });

  it('is off unless the request allows it', async () => {
    const { results, fetches } = await run(
      `return { a: await fetch(${U}/a"), b: await fetchV2(${U}/a").catch((error) => error.message) };`,
      { allowFetch: false },
    );
    expect(results).toEqual([ok({ a: 'ERROR', b: 'fetch is not allowed in this workspace' })]);
    expect([asked, fetches]).toEqual([[], undefined]);
  });

  it.each([
    ['http://127.0.0.1:1/', 'blocked request to non-public address: 127.0.0.1'],
    ['http://[::1]:9/', 'blocked request to non-public address: ::1'],
    ['http://localhost:9/', 'cannot use 127.0.0.1 as IP address for localhost'],
    ['http://', 'invalid url, http://'],
  ])('says why %s cannot be reached even where it is off', async (url, message) => {
    const caught = `await fetchV2("${url}").catch((error) => error.message)`;
    expect(await value(caught, { allowFetch: false })).toBe(message);
  });

  it('is recorded in tests', async () => {
    const { fetches } = await run(`await fetch(${U}/a"); await fetch(${U}/refused", { method: "PUT" }); return {};`);
    expect(fetches).toEqual([
      { method: 'GET', url: 'https://host.example/a', status: 203, milliseconds: expect.any(Number) },
      {
        method: 'PUT',
        url: 'https://host.example/refused',
        error: 'The address is not allowed',
        milliseconds: expect.any(Number),
      },
    ]);
    const live = await sandbox.run({
      code: `export const transformEvent = async () => ({ a: await fetch(${U}/a") });`,
      allowFetch: true,
    });
    expect(live).toEqual({ results: [ok({ a: { n: 1 } })], logs: [] });
  });

  it('goes out side by side for the events of a run, and results keep their order', async () => {
    const events = [60, 5, 30].map((ms) => ({ ms }));
    const { results } = await run(`await fetch(${U}/a?ms=" + e.ms); return e;`, { events });
    expect(results).toEqual(events.map((event) => ok(event)));
    expect(mostInFlight).toBe(3);
  });

  it('is bounded in number', async () => {
    const body = `let n = 0; for (let i = 0; i < 50; i += 1) if (await fetch(${U}/a") !== "ERROR") n += 1; return { n };`;
    expect((await run(body)).results).toEqual([ok({ n: FETCHES_PER_RUN_MAX })]);
    expect(asked).toHaveLength(FETCHES_PER_RUN_MAX);
  });

  /** Size of the floods that user code makes if it gets hold of a list, a map or a string of the guest. */
  const FLOOD = 20_000;
  it.each([
    [
      'push',
      `Array.prototype.push = function (value) {
        for (let n = 1; value.url && n < ${FLOOD}; n += 1) this[n] = { ...value, call: n };
        this[value.url ? 0 : this.length] = value;
        return this.length;
      };`,
    ],
    [
      'indexes',
      `Object.defineProperty(Array.prototype, "0", { configurable: true, set(value) {
        Object.defineProperty(this, "0", { value, writable: true, enumerable: true, configurable: true });
        for (let n = 1; value.url && n < ${FLOOD}; n += 1) this[n] = value;
      } });`,
    ],
    ['toJSON of lists', `Array.prototype.toJSON = function () { return Array(${FLOOD}).fill(this[0]); };`],
    [
      'toJSON of objects',
      `Object.prototype.toJSON = function () { return this.url ? { ...this, body: "forged" } : this; };`,
    ],
    ['stringify', `JSON.stringify = () => { throw 1; };`],
    ['maps', `Map.prototype.set = Map.prototype.get = () => { throw 1; };`],
    ['promises', `globalThis.Promise = class {};`],
    ['entries', `Object.entries = Object.fromEntries = () => Array(${FLOOD}).fill(["a", "b"]);`],
  ])('cannot be forged by %s', async (_what, head) => {
    const { results } = await run(`return { value: await fetch(${U}/a", { headers: { a: "b" } }) };`, { head });
    expect(results).toEqual([ok({ value: { n: 1 } })]);
    expect(asked).toEqual([
      { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', url: 'https://host.example/a', method: 'GET', headers: { a: 'b' } },
    ]);
  });

  it('runs no code of an argument after the call', async () => {
    const head = 'let later = 0; const late = () => { later += 1; return "https://host.example/a"; };';
    const body = `const url = { toString: late, toJSON: late };
      const call = fetch(url, { method: { toString: () => "PUT" }, body: { toString: () => "b", toJSON: late } });
      const before = later; await call; return { calls: later - before };`;
    expect((await run(body, { head })).results).toEqual([ok({ calls: 0 })]);
    expect(asked).toMatchObject([{ url: 'https://host.example/a', method: 'PUT', body: 'b' }]);
  });

  it('works at module level', async () => {
    expect(await value('rates.n', { head: `const rates = await fetch(${U}/a")` })).toBe(1);
    const [result] = (await run('return e;', { head: `await fetch(${U}/a"); throw new Error("after")` })).results;
    expect(result).toEqual(failed(expect.stringMatching(/^Error: after\n/)));
  });

  it('that hangs fails its own event at the limit, and no other', async () => {
    const { results } = await run(`if (e.hang) await fetch(${U}/hang"); return e;`, {
      events: [{ n: 1 }, { hang: true }],
    });
    expect(results).toEqual([ok({ n: 1 }), failed(expect.stringMatching(/^Error: Script execution timed out/))]);
  });

  it('that nobody awaits does not end the run early nor hold it up for ever', async () => {
    expect((await run(`fetch(${U}/a"); return e;`)).results).toEqual([ok({})]);
    expect((await run('return new Promise(() => {});')).results).toEqual([failed(expect.stringMatching(/timed out/))]);
  });

  it('does not hide an endless loop behind it', async () => {
    const { results } = await run(`await fetch(${U}/a"); for (;;);`);
    expect(results).toEqual([failed('Error: Script execution timed out.')]);
    expect(await value('1')).toBe(1);
  });

  it('of one run does not answer another', async () => {
    await run(`fetch(${U}/late?ms=300"); fetch(${U}/hang"); return e;`);
    expect(await value(`await fetch(${U}/a?body=2")`)).toBe(2);
  });
});

describe('getCredential', () => {
  const sandbox = useSandbox();
  const credentials = [
    { key: 'api', value: 's3cr3t-value' },
    { key: '__proto__', value: 'odd key' },
  ];
  const run = (body: string) =>
    sandbox.run({
      code: `export function transformEvent(e) { ${body} }`,
      credentials,
      mode: 'test',
      events: [track('m1')],
    });

  it('gives the value, or undefined', async () => {
    const { results } = await run(
      'return { a: getCredential("api"), b: getCredential("nope"), c: getCredential("__proto__"), d: getCredential("toString"), e: getCredential("api", 1) };',
    );
    expect(results).toEqual([ok({ a: 's3cr3t-value', c: 'odd key', e: 's3cr3t-value' })]);
  });

  it.each(['null', 'undefined', ''])('getCredential(%s) is a TypeError', async (key) => {
    const { results } = await run(`return getCredential(${key});`);
    expect(results).toEqual([
      failed('TypeError: Key should be valid and defined\n    at transformEvent (my code:1:44)'),
    ]);
  });

  it('never shows in logs or errors', async () => {
    const { results, logs } = await run(
      'const v = getCredential("api"); log("v", v, { v }); throw new Error("bad " + v);',
    );
    expect(logs).toEqual(['Log: v *** {"v":"***"}']);
    expect(results).toEqual([failed(expect.stringMatching(/^Error: bad \*\*\*\n/))]);
  });

  it('is not there in the next run', async () => {
    await run('globalThis.kept = getCredential("api"); return e;');
    const code = 'export const transformEvent = () => ({ v: [typeof kept, typeof getCredential("api")] });';
    expect(await sandbox.results({ code })).toEqual([ok({ v: ['undefined', 'undefined'] })]);
  });
});
