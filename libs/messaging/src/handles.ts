import { Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { AppError, type Call, isAppError, type ReplyOf, type RequestOf } from '@weir/contracts';
import { type Observable, throwError } from 'rxjs';
import type { z } from 'zod';
import { during } from './event-loop.js';
import { isDatabaseAway } from './sql.js';
import { workOwner } from './work-owner.js';

type Handler<C extends Call> = (request: RequestOf<C>) => Promise<ReplyOf<C>>;

/**
 * Makes a controller method the handler of a call. Checks each request against the schema of the call, so the method receives
 * valid input only. The types of the method follow from the same schema. The work counts for the workspace that the request names.
 */
export function Handles<C extends Call>(call: C) {
  return <M extends Handler<C>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M>): void => {
    const handler = descriptor.value;
    if (!handler) throw new TypeError(`@Handles(${call.subject}) belongs on a method`);
    descriptor.value = async function handle(this: unknown, request: unknown) {
      return during(`handle:${call.subject}`, () => {
        const parsed = parseRequest(call, request);
        return forOwner(call, parsed, () => handler.call(this, parsed));
      });
    } as M;
    MessagePattern(call.subject)(target, key, descriptor as PropertyDescriptor);
  };
}

function forOwner<T>({ isUrgent = false }: Call, request: unknown, work: () => T): T {
  const { workspaceId } = request as { workspaceId?: unknown };
  return typeof workspaceId === 'string' ? workOwner.run({ workspaceId, isUrgent }, work) : work();
}

function parseRequest<C extends Call>(call: C, request: unknown): RequestOf<C> {
  const parsed = call.request.safeParse(request);
  if (parsed.success) return parsed.data as RequestOf<C>;
  const { message, details } = describeIssues(parsed.error);
  throw new AppError('invalid', message, details);
}

/** Describes the first problem in a sentence, and lists all problems by field. */
export function describeIssues(error: z.core.$ZodError): { message: string; details: Record<string, string> } {
  const details = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'body', message]));
  const [field = 'body', problem = 'is invalid'] = Object.entries(details)[0] ?? [];
  return { message: `${field}: ${problem}`, details };
}

/**
 * Sends a refusal as `{code, message, details}`. A database that is away or out of connections gives `unavailable`. Any other
 * unexpected error gives a bare `internal`. Both are logged here.
 */
@Catch()
export class RpcErrorFilter implements RpcExceptionFilter<unknown> {
  private readonly logger = new Logger(RpcErrorFilter.name);

  catch(error: unknown): Observable<never> {
    if (!isAppError(error)) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const known = isAppError(error) ? error : unexpected(error);
    return throwError(() => known.toBody());
  }
}

const unexpected = (error: unknown) =>
  isDatabaseAway(error)
    ? new AppError('unavailable', 'The database did not answer in time. Try again')
    : new AppError('internal', 'Internal error');
