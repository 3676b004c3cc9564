import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';

export interface RequestContext {
  /** One id for everything that a caller's request causes. It appears in the logs of every process. */
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Carries the request id from the HTTP header to NATS headers and log lines, without a parameter on every function. */
export const requestContext = {
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  get: (): RequestContext | undefined => storage.getStore(),
};

export const newRequestId = (): string => randomUUID();
