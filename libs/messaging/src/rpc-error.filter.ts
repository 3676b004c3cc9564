import { Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { AppError, isAppError } from '@weir/contracts';
import { type Observable, throwError } from 'rxjs';

/** Sends a refusal as `{code, message, details}`; anything unexpected is logged here and leaves as a bare `internal`. */
@Catch()
export class RpcErrorFilter implements RpcExceptionFilter<unknown> {
  private readonly logger = new Logger(RpcErrorFilter.name);

  catch(error: unknown): Observable<never> {
    if (!isAppError(error)) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const known = isAppError(error) ? error : new AppError('internal', 'Internal error');
    return throwError(() => known.toBody());
  }
}
