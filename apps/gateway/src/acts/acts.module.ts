import { type CallHandler, type ExecutionContext, Injectable, Module, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { workOwner } from '@weir/messaging';
import { ActsRelay } from '@weir/service-kit';
import { Observable } from 'rxjs';
import type { Principal } from '../http/principal.js';
import type { Request } from '../http/request.js';
import { acting } from './acting.js';

const OPERATOR = 'operator';
const VERBS: Readonly<Record<string, string>> = {
  POST: 'created',
  PUT: 'changed',
  PATCH: 'changed',
  DELETE: 'deleted',
};

/** Tells everything that a request does for whom it is done, and everything that it writes who asked for it. */
@Injectable()
export class ActingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request & { user?: Principal | true }>();
    const { user, method } = request;
    if (user === undefined) return next.handle();
    const workspaceId = user === true ? undefined : user.workspaceId;
    return new Observable((subscriber) => {
      const handle = () => this.handled(user, method, next).subscribe(subscriber);
      return workspaceId === undefined ? handle() : workOwner.run({ workspaceId, isUrgent: false }, handle);
    });
  }

  private handled(user: Principal | true, method: string, next: CallHandler): Observable<unknown> {
    const verb = VERBS[method];
    if (verb === undefined) return next.handle();
    const who = user === true ? { actor: OPERATOR, workspaceId: undefined } : user;
    const now = { actor: 'email' in who ? who.email : who.actor, workspaceId: who.workspaceId, verb };
    return new Observable((subscriber) => acting.run(now, () => next.handle().subscribe(subscriber)));
  }
}

/** Notes what people do to tokens and the inventory. */
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: ActingInterceptor }, ActsRelay] })
export class ActsModule {}
