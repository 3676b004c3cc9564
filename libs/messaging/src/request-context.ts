import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';

export interface RequestContext {
  /** One id for everything that a caller's request causes, in logs of every process. */
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Carries the request id from HTTP header to NATS header to log line, without a parameter on every function. */
export const requestContext = {
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  get: (): RequestContext | undefined => storage.getStore(),
};

export const newRequestId = (): string => randomUUID();
