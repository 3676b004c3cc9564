import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from '@weir/contracts';
import type { Request } from '../http/request.js';

/** The caller, derived from the token alone. Nothing in a request can name another workspace. */
export interface Principal {
  workspaceId: string;
  workspaceName: string;
  /** Whether user code of the workspace may call `fetch`. */
  allowFetch: boolean;
  email: string;
  role: Role;
  tokenId: string;
}

/** The caller of a route with access tokens: `@Caller() caller: Principal`. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    Reflect.get(context.switchToHttp().getRequest<Request>(), 'user') as Principal,
);
