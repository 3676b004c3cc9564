import { type CallHandler, type ExecutionContext, Injectable, Module, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
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

/** Tells everything that a request writes who asked for it. */
@Injectable()
export class ActingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request & { user?: Principal | true }>();
    const { user, method } = request;
    const verb = VERBS[method];
    if (user === undefined || verb === undefined) return next.handle();
    const who = user === true ? { actor: OPERATOR, workspaceId: undefined } : user;
    const now = { actor: 'email' in who ? who.email : who.actor, workspaceId: who.workspaceId, verb };
    return new Observable((subscriber) => acting.run(now, () => next.handle().subscribe(subscriber)));
  }
}

/** Notes what people do to tokens and the inventory. */
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: ActingInterceptor }, ActsRelay] })
export class ActsModule {}
