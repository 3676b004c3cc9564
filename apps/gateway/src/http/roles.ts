import { AppError, ROLES, type Role, type RoleName, roleName } from '@weir/contracts';
import type { Access, ApiSpec } from './api.js';
import { AREA_RULES, type Area } from './areas.js';

type Grants = Partial<Record<Area, readonly Access[]>>;

/** The areas of tokens. The operator's pair and write keys have no roles. */
const READER = {
  transformations: ['read'],
  regulations: ['read'],
  test: ['read', 'test'],
  deliveries: ['read'],
  schemas: ['read'],
  inventory: ['whoami', 'read'],
  console: ['session'],
} as const satisfies Grants;

/**
 * The rights of each role in each area. The guard, the document (`x-roles`) and every refusal read this table, and
 * `docs/specification/access.md` tells it. A role may do nothing in an area that it does not name.
 */
const GRANTS: Record<RoleName, Grants> = {
  admin: {
    transformations: ['read', 'write'],
    regulations: ['read', 'write', 'audit'],
    test: ['read', 'test', 'write'],
    deliveries: ['read', 'write'],
    schemas: ['read', 'samples', 'write'],
    inventory: ['whoami', 'read', 'write', 'tokens'],
    console: ['session', 'tokens'],
  },
  write: {
    ...READER,
    transformations: ['read', 'write'],
    regulations: ['read', 'write'],
    test: ['read', 'test', 'write'],
    deliveries: ['read', 'write'],
    inventory: ['whoami', 'read', 'write'],
  },
  read: READER,
  privacy: {
    regulations: ['read', 'write', 'audit'],
    schemas: ['read', 'samples', 'write'],
    inventory: ['whoami'],
    console: ['session'],
  },
  publish: { transformations: ['read', 'write'], inventory: ['whoami'], console: ['session'] },
};

/** Whether a token with this role may do this in the area. */
export const may = (role: Role, area: Area, access: Access): boolean =>
  GRANTS[roleName(role)][area]?.includes(access) ?? false;

/** Everything that a role may do, by area. The console shows what it finds here. */
export const capabilitiesOf = (role: Role): Grants => GRANTS[roleName(role)];

/** Roles that may call a route, in the order of {@link ROLES}. Undefined if the route takes no tokens. */
export function rolesOf({ area, access }: Pick<ApiSpec, 'area' | 'access'>): RoleName[] | undefined {
  const { scheme } = AREA_RULES[area];
  if (access === 'none' || (scheme !== 'token' && scheme !== 'token-or-admin')) return undefined;
  return ROLES.filter((role) => may(role, area, access));
}

/** Names the right that a route requires, as part of a sentence. */
export function needOf({ area, access }: Pick<ApiSpec, 'area' | 'access'>): string {
  const roles = ROLES.filter((role) => may(role, area, access));
  return roles.length === ROLES.length ? 'a token' : `a token with the role ${roles.join(' or ')}`;
}

/** Throws `forbidden`, which names the roles that would do. `what` begins the sentence. */
export function requireRole(role: Role, area: Area, access: Access, what = 'This needs'): void {
  if (may(role, area, access)) return;
  throw new AppError('forbidden', `${what} ${needOf({ area, access })}, and yours has ${role}`);
}
