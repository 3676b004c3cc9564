import { describe, expect, it } from '@jest/globals';
import { ROLES, type Role, type RoleName } from '@weir/contracts';
import { PLANE_MODULES } from '../app.module.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { openApiDocument } from '../openapi/document.js';
import type { Access } from './api.js';
import { AREA_RULES, type Area } from './areas.js';
import { may, requireRole, rolesOf } from './roles.js';
import { controllersOf, routesOf } from './routes.js';

const routes = [...routesOf(controllersOf(...Object.values(PLANE_MODULES).flat())), ...INTAKE_ROUTES];
const { paths } = openApiDocument(routes) as {
  paths: Record<string, Record<string, { 'x-roles'?: string[]; description?: string }>>;
};

/** The groups of routes as `docs/specification/access.md` has them. A dash: no token opens it. */
const DOCUMENTED: Record<string, string> = {
  'inventory whoami': 'admin write read privacy publish',
  'inventory read': 'admin write read',
  'inventory write': 'admin write',
  'inventory tokens': 'admin',
  'transformations read': 'admin write read publish',
  'transformations write': 'admin write publish',
  'regulations read': 'admin write read privacy',
  'regulations write': 'admin write privacy',
  'regulations audit': 'admin privacy',
  'test read': 'admin write read',
  'test test': 'admin write read',
  'console session': 'admin write read privacy publish',
  'console tokens': 'admin',
  'deliveries read': 'admin write read',
  'deliveries write': 'admin write',
  'schemas read': 'admin write read privacy',
  'schemas samples': 'admin privacy',
  'schemas write': 'admin privacy',
};

const roled = routes.flatMap((route) => {
  const roles = route.api && rolesOf(route.api);
  return route.api && roles ? [{ ...route, api: route.api, roles }] : [];
});

describe('every route that takes tokens', () => {
  it('is found, and no other has roles', () => {
    const withTokens = routes.filter(({ api }) => api && AREA_RULES[api.area].scheme.startsWith('token'));
    expect(roled).toHaveLength(withTokens.length);
  });

  it('belongs to a group of the documented table, and the table has no other', () => {
    const groups = roled.map(({ api }) => `${api.area} ${api.access}`);
    expect([...new Set(groups)].sort()).toEqual(Object.keys(DOCUMENTED).sort());
  });

  it.each(roled)('$method $path has the roles of its group, in the document too', ({ method, path, api, roles }) => {
    expect(roles.join(' ')).toBe(DOCUMENTED[`${api.area} ${api.access}`]);
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(operation?.['x-roles']).toEqual(roles);
    const need = roles.length < ROLES.length ? ` with the role ${roles.join(' or ')}` : '';
    expect(operation?.description).toContain(`a token${need}.`);
  });
});

const isRefused = (role: Role, area: Area, access: Access) => {
  try {
    requireRole(role, area, access);
    return false;
  } catch {
    return true;
  }
};

describe('a role', () => {
  it.each(ROLES)('%s is refused exactly where the table does not name it', (role: RoleName) => {
    for (const [group, roles] of Object.entries(DOCUMENTED)) {
      const [area, access] = group.split(' ') as [Area, Access];
      expect([group, isRefused(role, area, access)]).toEqual([group, !roles.split(' ').includes(role)]);
    }
  });

  it.each([
    ['read-only', 'read'],
    ['read-write', 'write'],
  ] as const)('%s of earlier tokens is %s', (former, role) => {
    for (const group of Object.keys(DOCUMENTED)) {
      const [area, access] = group.split(' ') as [Area, Access];
      expect([group, may(former, area, access)]).toEqual([group, may(role, area, access)]);
    }
  });

  it('that does not suffice is told those that do', () => {
    expect(() => requireRole('read-only', 'transformations', 'write')).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        message: 'This needs a token with the role admin or write or publish, and yours has read-only',
      }),
    );
  });
});
