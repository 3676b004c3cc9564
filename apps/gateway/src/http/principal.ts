import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role, StageFlags } from '@weir/contracts';
import type { Request } from './request.js';
import { requireRole } from './roles.js';

/** The caller, derived from the token alone. Nothing in a request can name another workspace. */
export interface Principal {
  workspaceId: string;
  workspaceName: string;
  /** Whether user code of the workspace may call `fetch`. */
  allowFetch: boolean;
  email: string;
  role: Role;
  /** Null for a person of the identity provider, who has no token. */
  tokenId: string | null;
  /** The session of the console that carried the request. Undefined if the request came with a token. */
  sessionId?: string;
}

/** The caller of a route with access tokens: `@Caller() caller: Principal`. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    Reflect.get(context.switchToHttp().getRequest<Request>(), 'user') as Principal,
);

/** The workspace that a caller of area D may see. Undefined stands for the operator, who sees all of them. */
export const Reach = createParamDecorator((_: unknown, context: ExecutionContext) =>
  reachOf(Reflect.get(context.switchToHttp().getRequest<Request>(), 'user')),
);

/** passport leaves `true` for the operator's pair. Anything else must be the principal of a token. */
export function reachOf(user: true | Pick<Principal, 'workspaceId'>): string | undefined {
  return user === true ? undefined : user.workspaceId;
}

interface TestWishes {
  stage: Pick<StageFlags, 'send_to_destination'>;
  force: boolean;
  destinationConfig?: object | undefined;
}

/** A token that reads may run tests. It may not send anything or override stored or disabled settings. */
export function requireTestRights(role: Role, { stage, force, destinationConfig }: TestWishes): void {
  if (stage.send_to_destination) requireRole(role, 'test', 'write', 'Sending needs');
  if (force) requireRole(role, 'test', 'write', 'force needs');
  if (destinationConfig) requireRole(role, 'test', 'write', 'destinationConfig needs');
}

/** Who asks: the role, and whether a session of the console carried the request. */
export type Viewer = Pick<Principal, 'workspaceId' | 'role' | 'sessionId'>;

/** Only admin tokens see secrets in clear text. A page has no need of them, and its browser shows what it gets. */
export const seesSecrets = ({ role, sessionId }: Omit<Viewer, 'workspaceId'>): boolean =>
  sessionId === undefined && role === 'admin';

/** Only admins see what is in events, in the console too. */
export const seesEvents = (role: Role): boolean => role === 'admin';

/** Whether a session of the console carried the request. False for tokens and for the operator's pair. */
export const FromConsole = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const user: true | Partial<Principal> = Reflect.get(context.switchToHttp().getRequest<Request>(), 'user');
  return user !== true && user.sessionId !== undefined;
});
