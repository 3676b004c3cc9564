import { describe, expect, it } from '@jest/globals';
import { all, json, useServer } from '../test/server.js';
import { createClient, NO_ANSWER, unwrap, WeirError } from './index.js';

const server = useServer();
const client = (retries = {}) => createClient({ url: `${server.url}/`, token: 't1', retries });
const REFUSAL = {
  message: 'name is required',
  error: 'name is required',
  code: 'INVALID',
  details: { name: 'is required' },
};

describe('a call', () => {
  it('sends the token, the parameters and the body, and answers the data', async () => {
    server.script = [json(200, { source: { id: 's1' } })];
    const { data, error } = await client().PUT('/v2/sources/{id}', {
      params: { path: { id: 's1' } },
      body: { name: 'a' },
    });
    expect([data?.source.id, error]).toEqual(['s1', undefined]);
    expect(server.seen).toEqual(['PUT /v2/sources/s1 {"name":"a"}']);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer t1');
  });

  it('answers a refusal as a typed value', async () => {
    server.script = [json(422, REFUSAL, { 'x-request-id': 'r1' })];
    const { error } = await client().POST('/v2/sources', { body: { name: '', type: 'HTTP' } });
    expect(error).toBeInstanceOf(WeirError);
    expect({ ...error }).toMatchObject({
      status: 422,
      code: 'INVALID',
      details: { name: 'is required' },
      requestId: 'r1',
      body: REFUSAL,
    });
    expect(error?.message).toBe('name is required');
  });

  it('makes an error of a plain sentence, of an empty answer, and of the form of /schemas', async () => {
    server.script = [
      (_, response) =>
        void response.writeHead(400, { 'content-type': 'text/plain' }).end('Mandatory field: EventID missing'),
      (_, response) => void response.writeHead(502).end(),
      json(404, { msg: 'no such model' }),
    ];
    const asked = () => client().GET('/schemas/event-versions');
    expect((await asked()).error).toMatchObject({
      status: 400,
      code: 'HTTP_400',
      message: 'Mandatory field: EventID missing',
    });
    expect((await asked()).error).toMatchObject({
      status: 502,
      code: 'HTTP_502',
      message: 'The server answered 502 Bad Gateway',
    });
    expect((await asked()).error).toMatchObject({ status: 404, code: 'HTTP_404', message: 'no such model' });
  });

  it('shows no page of a proxy, and no line end of a plain sentence', async () => {
    server.script = [
      (_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>all of it</html>'),
      (_, response) => void response.writeHead(400, { 'content-type': 'text/plain' }).end('no userId\n\n'),
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>'),
    ];
    const asked = () => client().GET('/v2/sources');
    expect((await asked()).error?.message).toBe('The server answered 502 Bad Gateway');
    expect((await asked()).error?.message).toBe('no userId');
    expect((await asked()).error).toMatchObject({ code: NO_ANSWER, message: expect.stringContaining('is not JSON') });
  });

  it('tells that nobody answers, and throws what aborts it', async () => {
    server.script = [(request) => void request.socket.destroy()];
    const { error } = await client().GET('/v2/sources');
    expect(error).toMatchObject({ status: 0, code: NO_ANSWER, message: expect.stringContaining('did not answer') });
    await expect(client().GET('/v2/sources', { signal: AbortSignal.abort('left') })).rejects.toBe('left');
  });

  it('throws the error of an answer that is unwrapped', async () => {
    server.script = [json(200, { workspace: { name: 'w' } }), json(401, { message: 'no', code: 'UNAUTHENTICATED' })];
    expect((await unwrap(client().GET('/v2/workspace'))).workspace.name).toBe('w');
    await expect(unwrap(client().GET('/v2/workspace'))).rejects.toMatchObject({ name: 'WeirError', status: 401 });
  });
});

describe('a request that is put off', () => {
  const later = (seconds: string) => json(503, { message: 'later', code: 'UNAVAILABLE' }, { 'retry-after': seconds });

  it('is sent again with its body if that is idempotent', async () => {
    server.script = [later('0'), json(429, {}, { 'retry-after': '0' }), json(200, { source: { id: 's1' } })];
    const { data } = await client().PUT('/v2/sources/{id}', { params: { path: { id: 's1' } }, body: { name: 'a' } });
    expect(data?.source.id).toBe('s1');
    expect(server.seen).toEqual(Array(3).fill('PUT /v2/sources/s1 {"name":"a"}'));
  });

  it('is sent once if it may do something twice', async () => {
    server.script = [later('0')];
    const { error } = await client().POST('/v2/sources', { body: { name: 'a', type: 'HTTP' } });
    expect([error?.status, server.seen.length]).toEqual([503, 1]);
    const regulation = { regulationType: 'suppress' as const, users: [{ userId: 'u1' }] };
    await client().POST('/v2/regulations', { body: regulation, headers: { 'Idempotency-Key': 'k1' } });
    expect(server.seen).toHaveLength(5);
  });

  it('is given up after the limit, and at once when the server asks for too long a wait', async () => {
    server.script = [later('0')];
    expect((await client({ limit: 1 }).GET('/v2/sources')).error?.status).toBe(503);
    expect(server.seen).toHaveLength(2);
    server.script = [later('3600')];
    expect((await client().GET('/v2/sources')).error?.status).toBe(503);
    expect(server.seen).toHaveLength(3);
  });
});

describe('paginate', () => {
  it('follows paging.next until there is none', async () => {
    server.script = [
      json(200, {
        data: [{ id: 'd1' }, { id: 'd2' }],
        paging: { next: '/v2/deliveries?status=dead&after_cursor=c%2B1' },
      }),
      json(200, { data: [{ id: 'd3' }], paging: {} }),
    ];
    const ids: string[] = [];
    for await (const { id } of client().paginate('/v2/deliveries', { params: { query: { status: 'dead' } } }))
      ids.push(id);
    expect(ids).toEqual(['d1', 'd2', 'd3']);
    expect(server.seen).toEqual([
      'GET /v2/deliveries?status=dead',
      'GET /v2/deliveries?status=dead&after_cursor=c%2B1',
    ]);
  });

  it('follows the Link of a bare list', async () => {
    const link = { link: '</schemas/event-models?limit=1&after=7>; rel="next"' };
    server.script = [json(200, [{ EventID: 'a' }], link), json(200, [{ EventID: 'b' }])];
    const ids: string[] = [];
    for await (const { EventID } of client().paginate('/schemas/event-models', { params: { query: { limit: 1 } } }))
      ids.push(EventID);
    expect([ids, server.seen[1]]).toEqual([['a', 'b'], 'GET /schemas/event-models?limit=1&after=7']);
  });

  it('throws if the list leads back to a page that it had', async () => {
    const page = (to: number) => json(200, { sources: [], paging: { total: 9, next: `/v2/sources?page=${to}` } });
    server.script = [page(2), page(3), page(2), json(403, REFUSAL)];
    await expect(all(client().paginate('/v2/sources'))).rejects.toThrow(
      'The list /v2/sources does not end: its page {"page":"2"} came twice',
    );
    expect(server.seen).toHaveLength(3);
  });

  it('asks for no page that the loop does not reach, and throws what a page refuses', async () => {
    const first = json(200, { sources: [{ id: 's1' }], paging: { total: 2, next: '/v2/sources?page=2' } });
    server.script = [first, json(403, REFUSAL)];
    for await (const _ of client().paginate('/v2/sources')) break;
    expect(server.seen).toEqual(['GET /v2/sources']);
    await expect(all(client().paginate('/v2/sources'))).rejects.toMatchObject({ status: 403 });
  });
});
