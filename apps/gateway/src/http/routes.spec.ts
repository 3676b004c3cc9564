import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { AppModule, PLANE_MODULES } from '../app.module.js';
import { readConfig } from '../config.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { AREA_RULES } from './areas.js';
import { AllowedMethods, controllersOf, routesOf } from './routes.js';

const routes = routesOf(controllersOf(...Object.values(PLANE_MODULES).flat()));

describe('every route', () => {
  it('is found', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['GET /v2/sources/:id', 'POST /admin/access-tokens', 'GET /livez']),
    );
  });

  it.each(routes)('$method $path has an annotation', ({ api }) => {
    expect(api).toBeDefined();
  });

  it.each(routes)('$method $path asks for credentials, unless its area takes none', ({ api }) => {
    expect(api?.access === 'none').toBe(['public', 'sign-in'].includes(api?.area ?? ''));
  });

  it.each(routes)('$method $path does not let a reader change anything', ({ method, api }) => {
    const changes = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
    if (changes && api && AREA_RULES[api.area].scheme === 'token')
      expect(['write', 'test', 'tokens', 'session']).toContain(api.access);
  });

  it.each(routes)('$method $path checks every parameter of its path', ({ path, api }) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(api?.params?.shape ?? {}).sort()).toEqual(names.sort());
  });
});

it('a route without annotation is noticed', () => {
  @Controller('bare')
  class Bare {
    @Get()
    get() {
      return 'open';
    }
  }
  expect(routesOf([Bare])).toEqual([{ method: 'GET', path: '/bare', handler: 'Bare.get', api: undefined }]);
});

describe('GATEWAY_PLANES', () => {
  const env = {
    NATS_URL: 'nats://localhost',
    DATABASE_URL: 'postgres://localhost/weir',
    WEIR_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  const planesServed = (GATEWAY_PLANES: string) => {
    const module = AppModule.register(readConfig({ ...env, GATEWAY_PLANES }));
    const areas = routesOf(controllersOf(module)).flatMap(({ api }) => api?.area ?? []);
    return [...new Set(areas.map((area) => AREA_RULES[area].plane))].sort();
  };

  it('leaves the console out where it is switched off', () => {
    const served = (CONSOLE_ENABLED: string) =>
      routesOf(controllersOf(AppModule.register(readConfig({ ...env, CONSOLE_ENABLED })))).map(({ path }) => path);
    expect(served('true')).toContain('/console/session');
    expect(served('false').filter((path) => path.startsWith('/console'))).toEqual([]);
  });

  it('leaves the other plane out', () => {
    expect(planesServed('control,data')).toEqual(expect.arrayContaining(['both', 'control']));
    expect(planesServed('control')).toEqual(['both', 'control']);
    expect(planesServed('data')).not.toContain('control');
  });
});

describe('the source of a route', () => {
  const src = join(import.meta.dirname, '..');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(src, name), 'utf8'));

  it.each([...routes, ...INTAKE_ROUTES])('$method $path is found by its path', ({ path }) => {
    expect(sources.some((text) => text.includes(`('${path}'`) || text.includes(`path: '${path}'`))).toBe(true);
  });
});

describe('AllowedMethods', () => {
  const allowed = new AllowedMethods();
  for (const method of ['GET', 'POST']) allowed.add(method, '/v2/sources');
  for (const method of ['GET', 'PUT', 'DELETE']) allowed.add(method, '/v2/sources/:id');
  allowed.add('GET', '/docs/*');

  it.each([
    ['/v2/sources', 'GET POST'],
    ['/v2/sources/', 'GET POST'],
    ['/v2/sources/abc', 'GET PUT DELETE'],
    ['/v2/sources/abc/more', ''],
    ['/v2', ''],
    ['/', ''],
    ['/docs/a/b', 'GET'],
  ])('%s answers "%s"', (path, methods) => {
    expect(allowed.of(path).join(' ')).toBe(methods);
  });
});
