import { HttpException } from '@nestjs/common';
import { AppError, isAppError } from '@weir/contracts';
import { isDatabaseAway } from '@weir/messaging';
import { HttpProblem, unknownPath, unsupportedMediaType } from './problem.js';

/** Answer to a temporary fault. */
const TRY_AGAIN = 'A service that this needs is not reachable; try again';
const INTERNAL = 'Something went wrong here; the fault is logged under the x-request-id of this answer';

/** Refusals of Fastify and Nest, by status. Only 400 keeps the framework's message, which is written for developers. */
const REFUSALS: Record<number, (message: string) => AppError | HttpProblem> = {
  400: (message) => new AppError('invalid', message),
  404: unknownPath,
  414: unknownPath,
  415: unsupportedMediaType,
  503: () => new AppError('unavailable', TRY_AGAIN),
};

/** Converts any thrown value to an error that HTTP can express. Its message never shows internals. */
export function toProblem(thrown: unknown): AppError | HttpProblem {
  if (isAppError(thrown)) return withoutInternals(thrown);
  if (thrown instanceof HttpProblem) return thrown;
  if (!(thrown instanceof Error)) return new AppError('internal', INTERNAL);
  if (thrown instanceof HttpException) return fromStatus(thrown.getStatus(), thrown.message);
  if (isDatabaseAway(thrown)) return new AppError('unavailable', TRY_AGAIN, undefined, { cause: thrown });
  const status: unknown = Reflect.get(thrown, 'statusCode');
  return fromStatus(typeof status === 'number' ? status : 500, thrown.message);
}

/** A service's `internal` may say how it failed. Only the log shows that. */
function withoutInternals(error: AppError): AppError {
  return error.code === 'internal' ? new AppError('internal', INTERNAL, undefined, { cause: error }) : error;
}

function fromStatus(status: number, message: string): AppError | HttpProblem {
  const refusal = REFUSALS[status];
  if (refusal) return refusal(message);
  if (status > 400 && status < 500) return new HttpProblem(status, `HTTP_${status}`, message);
  return new AppError('internal', INTERNAL);
}
