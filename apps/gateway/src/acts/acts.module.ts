import {
  type BeforeApplicationShutdown,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { auditRelay, type OutboxRelay, RpcClient } from '@weir/messaging';
import { Database } from '@weir/service-kit';
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

/** Hands the acts of this service to the audit trail. */
@Injectable()
class ActsRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly relay: OutboxRelay;

  constructor(database: Database, rpc: RpcClient) {
    this.relay = auditRelay(database, rpc, new Logger(ActsRelay.name));
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.relay.stop();
  }
}

/** Notes what people do to tokens and the inventory. */
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: ActingInterceptor }, ActsRelay] })
export class ActsModule {}
