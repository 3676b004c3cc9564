import { AppError, type Role, type StageFlags } from '@weir/contracts';
import type { Access } from '../http/api.js';

/** Permissions of each role (architecture section 6). */
const GRANTS: Record<Role, readonly Access[]> = {
  'read-only': ['none', 'read', 'test'],
  'read-write': ['none', 'read', 'test', 'write'],
  admin: ['none', 'read', 'test', 'write', 'tokens'],
};

const NEEDS: Record<Access, string> = {
  none: 'no token',
  read: 'a token',
  test: 'a token',
  write: 'a token with the role read-write or admin',
  tokens: 'a token with the role admin',
};

export function requireAccess(role: Role, access: Access): void {
  if (!GRANTS[role].includes(access)) throw new AppError('forbidden', `This needs ${NEEDS[access]}`);
}

export interface TestWishes {
  stage: Pick<StageFlags, 'send_to_destination'>;
  force: boolean;
  destinationConfig?: object | undefined;
}

/** A read-only token may run tests. It may not send anything or override stored or disabled settings. */
export function requireTestRights(role: Role, { stage, force, destinationConfig }: TestWishes): void {
  if (role !== 'read-only') return;
  if (stage.send_to_destination) throw new AppError('forbidden', `Sending needs ${NEEDS.write}`);
  if (force) throw new AppError('forbidden', `force needs ${NEEDS.write}`);
  if (destinationConfig) throw new AppError('forbidden', `destinationConfig needs ${NEEDS.write}`);
}

/** Only admin tokens see secrets in clear text. */
export const seesSecrets = (role: Role): boolean => role === 'admin';
