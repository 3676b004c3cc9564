import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@weir/service-kit';
import { basic, until } from '@weir/testing';
import { clientOf } from './client.js';
import { ADMIN, useGateway } from './running-gateway.js';

const gateway = useGateway();

const call = (path: string, init: RequestInit & { admin?: boolean } = {}) =>
  fetch(`${gateway.url}${path}`, {
    ...init,
    headers: { ...(init.admin && { authorization: basic(ADMIN.user, ADMIN.password) }), ...init.headers },
  });
const json = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json) =>
  call('/admin/workspaces', { method: 'POST', body, headers, admin: true });

async function refusal(response: Response) {
  return { status: response.status, body: await response.json() };
}
const said = (code: string) => ({ message: expect.any(String), error: expect.any(String), code });

describe('the paths', () => {
  it('unknown: 404, in the form of the area around', async () => {
    expect(await refusal(await call('/v2/nothing'))).toMatchObject({ status: 404, body: said('NOT_FOUND') });
    expect(await refusal(await call('/schemas/nothing'))).toEqual({ status: 404, body: { msg: expect.any(String) } });
    const intake = await call('/v1/nothing');
    expect([intake.status, intake.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  });

  it('known with another method: 405 with Allow', async () => {
    const response = await call('/v2/sources/abc', { method: 'PATCH' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE');
    expect(await refusal(response)).toMatchObject({ status: 405, body: said('METHOD_NOT_ALLOWED') });
  });

  it('malformed: 400 with a request id', async () => {
    const response = await call('/%zz');
    expect(response.headers.get('x-request-id')).toMatch(/./);
    expect(await refusal(response)).toMatchObject({ status: 400, body: said('BAD_REQUEST') });
  });

  it('with an over-long id: 404 like every unknown one', async () => {
    const client = clientOf(gateway);
    expect((await client.get(`/v2/sources/${'a'.repeat(3_000)}`)).status).toBe(404);
    expect((await client.get('/v2/sources/%00')).body).toEqual((await client.get('/v2/sources/short')).body);
  });

  it('with a slash at the end are the same', async () => {
    expect((await call('/livez/')).status).toBe(200);
  });
});

describe('the bodies', () => {
  it.each([
    ['malformed JSON', '{"name":', json, 400, 'BAD_REQUEST'],
    ['no object', '[1]', json, 400, 'BAD_REQUEST'],
    ['empty', '', json, 400, 'BAD_REQUEST'],
    ['deeper than 64 levels', `{"name":${'['.repeat(70)}${']'.repeat(70)}}`, json, 400, 'BAD_REQUEST'],
    ['with a NUL', '{"name":"a\\u0000b"}', json, 400, 'BAD_REQUEST'],
    ['over the limit', JSON.stringify({ name: 'x'.repeat(70_000) }), json, 413, 'PAYLOAD_TOO_LARGE'],
    ['not JSON by type', '{"name":"x"}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of no valid type', '{"name":"x"}', { 'content-type': 'json' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['encoded', '{"name":"x"}', { ...json, 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s are refused', async (_, body, headers, status, code) => {
    expect(await refusal(await post(body, headers as Record<string, string>))).toMatchObject({
      status,
      body: said(code),
    });
  });

  it('are not looked at before the credentials are', async () => {
    const response = await call('/admin/workspaces', { method: 'POST', body: '{', headers: json });
    expect(response.status).toBe(401);
  });

  it('may be missing in GET and DELETE with a content type', async () => {
    expect((await call('/admin/workspaces', { headers: json, admin: true })).status).toBe(200);
    const path = '/admin/access-tokens/0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    expect((await call(path, { method: 'DELETE', headers: json, admin: true })).status).toBe(404);
  });
});

describe('the request id', () => {
  it('comes back as it was sent', async () => {
    const response = await call('/livez', { headers: { 'x-request-id': 'order-42' } });
    expect(response.headers.get('x-request-id')).toBe('order-42');
  });

  it('replaces an id that could break a log line', async () => {
    const response = await call('/livez', { headers: { 'x-request-id': 'a b"c' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });
});

describe('the probes', () => {
  it('say that the process lives and is ready', async () => {
    expect(await (await call('/livez')).json()).toEqual({ live: true });
    const ready = await until('readiness', async () => {
      const answer = await call('/readyz');
      return answer.status === 200 && answer.json();
    });
    expect(ready).toEqual({ ready: true, reasons: [] });
  });

  it('measure requests by route, not by path', async () => {
    await clientOf(gateway).get('/v2/sources/0ujtsYcgvSTl8PAuAdqWYSMnLOv');
    const text = await gateway.app.get(Metrics, { strict: false }).text();
    expect(text).toMatch(/http_request_duration_seconds_count{.*route="\/v2\/sources\/:id".*} \d/);
    expect(text).not.toContain('0ujtsYcgvSTl8PAuAdqWYSMnLOv');
  });

  it('keep metrics from the port that clients reach', async () => {
    for (const path of ['/metrics', '/metrics/', '/Metrics']) {
      expect([path, (await call(path)).status]).toEqual([path, 404]);
    }
    const { paths } = (await (await call('/openapi.json')).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => path.includes('metrics'))).toEqual([]);
  });
});
