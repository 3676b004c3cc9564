import { Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { AppError, isAppError } from '@weir/contracts';
import { type Observable, throwError } from 'rxjs';
import { isDatabaseAway } from './database-away.js';

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
    ? new AppError('unavailable', 'The database did not answer in time; try again')
    : new AppError('internal', 'Internal error');
