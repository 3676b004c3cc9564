import { describe, expect, it } from '@jest/globals';
import { clientOf } from './client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();
const nobody = () => clientOf(gateway, 'nobody');

describe('the document', () => {
  it('has what this process serves, for everybody', async () => {
    const answer = await nobody().get('/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body.openapi).toBe('3.1.0');
    const paths = ['/transformations', '/v2/regulations', '/v0/testSource/{id}', '/schemas/event-models', '/v1/batch'];
    expect(Object.keys(answer.body.paths)).toEqual(expect.arrayContaining(paths));
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await nobody().get('/openapi.json');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await nobody().get('/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await nobody().get('/openapi.json', { headers: { 'if-none-match': '"older"' } })).status).toBe(200);
  });
});

describe('the page', () => {
  it('loads nothing but files of its own', async () => {
    const page = await nobody().get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/<script>|onload=|https?:/);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(3);
    for (const link of links) {
      const file = await nobody().get(link);
      expect([link, file.status]).toEqual([link, 200]);
      expect(file.headers.get('content-type')).toMatch(/^(text\/javascript|image\/svg)/);
    }
  });

  it('is asked for again without being sent again', async () => {
    const { headers } = await nobody().get('/docs/start.js');
    const again = await nobody().get('/docs/start.js', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('keeps what it stores for the tab only', async () => {
    expect((await nobody().get('/docs/start.js')).text).toContain("'localStorage', { value: window.sessionStorage }");
  });

  it('has no other files', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2Fpackage.json', '/docs/index.html']) {
      expect((await nobody().get(path)).status).toBe(404);
    }
  });
});

describe('the root', () => {
  it('has links for programs', async () => {
    const { status, body } = await nobody().get('/');
    expect([status, body.name]).toEqual([200, 'Weir']);
    for (const path of Object.values<string>(body.links)) {
      expect((await nobody().get(path)).status).toBeLessThan(400);
    }
  });

  it('leads browsers to the documentation', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await nobody().get('/', { headers: { accept } });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('and /version tell the same version', async () => {
    const { version } = (await nobody().get('/')).body;
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect((await nobody().get('/version')).body).toEqual({ name: 'Weir', version });
  });
});

it('an unknown path says where to look', async () => {
  const answer = await nobody().get('/nothing');
  expect(answer).toMatchObject({ status: 404, body: { message: expect.stringContaining('/docs') } });
});
