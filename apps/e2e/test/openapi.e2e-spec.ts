import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { api, until } from '@weir/testing';
import { type OpenApi, placeholdersOf, type Route, referencesIn, resolve, routesOf } from './support/openapi.js';
import { made, newWorkspace, nobody, UNKNOWN_ID } from './support/workspace.js';

let document: OpenApi;
let token: string;
beforeAll(async () => {
  document = made(await nobody().get('/openapi.json'));
  token = (await newWorkspace()).tokens.admin;
});

const OPS = ['/version', '/livez', '/readyz', '/servez', '/openapi.json', '/docs', '/health', '/robots.txt'];
const PUBLIC = [...OPS, '/pixel/', '/v2/receipt-keys'];
/** They tell of other processes, which are not ready while a busy machine gives them no processor. */
const PROBES = ['/readyz', '/health'];
/** Needs no key: it takes nothing. */
const METRICS = '/v1/m';
/** The ways in: they take credentials in the body, or lead to the identity provider. */
const SIGN_IN = ['POST /console/session', '/console/sign-in', '/console/login', '/console/callback'];
const isPublic = ({ method, path }: Route) =>
  [path, `${method} ${path}`].some((one) => ['/', METRICS, ...SIGN_IN].includes(one)) ||
  PUBLIC.some((prefix) => path.startsWith(prefix));

/** Requests a route without a body, with unknown ids in its path. */
async function call({ method, path }: Route, headers: Record<string, string> = {}) {
  const filled = path
    .replace('{asset}', 'start.js')
    .replace('{name}', 'WEBHOOK')
    .replace(/\{\w+\}/g, UNKNOWN_ID);
  const response = await fetch(`${sharedStack().urls[0]}${filled}`, { method, headers });
  const type = response.headers.get('content-type') ?? '';
  // An event stream lasts an hour, so only its beginning is read.
  const isView = type.startsWith('text/event-stream');
  if (isView) await response.body?.cancel();
  return { route: `${method} ${path}`, status: response.status, type, text: isView ? '' : await response.text() };
}

describe('the OpenAPI document', () => {
  it('is version 3.1 with every path of the specification', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: 'Weir', version: expect.any(String) });
    const documented = routesOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(documented).toEqual(expect.arrayContaining(SPECIFIED));
  });

  it('is sound: references resolve, path parameters are declared, operations are named once and answer', () => {
    const dangling = referencesIn(document).filter((reference) => resolve(document, reference) === undefined);
    expect(dangling).toEqual([]);
    const routes = routesOf(document);
    const names = routes.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of routes) {
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path' && one.required);
      expect(declared.map(({ name }) => name).toSorted()).toEqual(placeholdersOf(path).toSorted());
      const statuses = Object.entries(operation.responses);
      expect(statuses.some(([status]) => status.startsWith('2'))).toBe(true);
      for (const [, { description }] of statuses) expect(description).not.toBe('');
      for (const scheme of (operation.security ?? []).flatMap(Object.keys)) {
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
      }
    }
  });
});

const isIntake = ({ path }: Pick<Route, 'path'>) => /^\/(v1|beacon|pixel|sourceConfig)(\/|$)/.test(path);

describe('every documented route', () => {
  it('is there, and refuses a caller without credentials in the shape of its area', async () => {
    for (const route of routesOf(document).filter((one) => !isPublic(one))) {
      const answer = await call(route);
      if (route.path.startsWith('/schemas/')) {
        expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(/^\{"msg":/) });
      } else if (isIntake(route)) {
        expect(answer).toMatchObject({ status: 401, type: expect.stringMatching(/^text\/plain/) });
      } else {
        expect(answer).toMatchObject({ status: 401, type: expect.stringMatching(/^application\/json/) });
        const { message, error, code } = JSON.parse(answer.text);
        expect([message, code]).toEqual([error, 'UNAUTHORIZED']);
      }
    }
  });

  it('answers a caller with a token and no body with a documented status, never 405 or 5xx', async () => {
    const ours = ({ path }: Route) =>
      !path.startsWith('/schemas/') && !isIntake({ path }) && !path.startsWith('/admin/');
    for (const route of routesOf(document).filter((one) => ours(one))) {
      const answer = await until(`an answer of ${route.path}`, async () => {
        const found = await call(route, { authorization: `Bearer ${token}` });
        return (found.status !== 503 || !PROBES.includes(route.path)) && found;
      });
      expect(Object.keys(route.operation.responses)).toContain(String(answer.status));
      expect({ ...answer, wrong: answer.status === 405 || answer.status >= 500 }).toMatchObject({ wrong: false });
      if (answer.status < 400) continue;
      const { message, error, code } = JSON.parse(answer.text);
      // Refusals of the Test API have only a message (spec section 7).
      if (!route.path.startsWith('/v0/')) expect([message, typeof code]).toEqual([error, 'string']);
    }
  });
});

describe('what is not documented', () => {
  it('is 404 as a path and 405 with Allow as a method', async () => {
    const unknown = await nobody().get('/nothing/here');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    const method = await nobody().delete('/v2/sources');
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/);
    expect(method.body).toMatchObject({
      message: expect.any(String),
      error: expect.any(String),
      code: expect.any(String),
    });
  });
});

describe('around the API', () => {
  it('/docs renders, from this server alone', async () => {
    const page = await nobody().get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => String(url));
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) expect([asset, (await nobody().get(asset)).status]).toEqual([asset, 200]);
  });

  it('/livez and /readyz answer 200 while everything runs', async () => {
    expect(made(await nobody().get('/livez'))).toEqual({ live: true });
    const ready = await until('readiness', async () => {
      const { status, body } = await nobody().get('/readyz');
      return status === 200 && body;
    });
    expect(ready).toEqual({ ready: true, reasons: [] });
  });

  it('/metrics is nothing that clients can reach', async () => {
    expect((await nobody().get('/metrics')).status).toBe(404);
    expect((await api(sharedStack()).get('/metrics')).status).toBe(404);
  });

  it('every answer has a request id of its own', async () => {
    const first = (await nobody().get('/livez')).headers.get('x-request-id');
    const second = (await nobody().get('/livez')).headers.get('x-request-id');
    expect(first).toBeTruthy();
    expect(second).not.toBe(first);
  });
});

/** The routes of spec section 4. */
const SPECIFIED = [
  'POST /transformations',
  'GET /transformations',
  'GET /transformations/{id}',
  'POST /transformations/{id}',
  'DELETE /transformations/{id}',
  'GET /transformations/{id}/versions',
  'GET /transformations/{id}/versions/{versionId}',
  'POST /libraries',
  'GET /libraries',
  'GET /libraries/{id}',
  'POST /libraries/{id}',
  'GET /libraries/{id}/versions',
  'GET /libraries/{id}/versions/{versionId}',
  'POST /transformations/libraries/publish',
  'POST /v2/regulations',
  'GET /v2/regulations',
  'DELETE /v2/regulations/{id}',
  'POST /v0/testDestination/{id}',
  'POST /v0/testSource/{id}',
  'GET /destination-definitions',
  'GET /schemas/event-models',
  'GET /schemas/event-versions',
  'GET /schemas/event-model/{EventID}/metadata',
  'GET /schemas/event-version/{VersionID}/metadata',
  'GET /schemas/event-model/{EventID}/key-counts',
  'GET /schemas/event-version/{VersionID}/missing-keys',
];
