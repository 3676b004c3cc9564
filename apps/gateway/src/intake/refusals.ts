import { AppError, EVENT_BYTES_MAX, INTAKE_BODY_BYTES_MAX } from '@weir/contracts';
import { HttpProblem } from '../http/status.js';

/** Events in one batch. The intake adds bytes to each event, so a limit on bytes alone would not bound the work. */
export const BATCH_EVENTS_MAX = 10_000;

/** The intake's refusals. SDKs and people know these texts (wire-facts 6.4). */
export const refusals = {
  noWriteKey: () => new AppError('unauthenticated', 'failed to read writekey from header'),
  noWriteKeyInQuery: () => new AppError('unauthenticated', 'failed to read writekey from query params'),
  invalidWriteKey: () => new AppError('unauthenticated', 'invalid write key'),
  disabledSource: () => new AppError('disabled', 'source is disabled'),
  notAWebhook: () => new AppError('not_found', 'source does not accept webhook events'),
  noBody: () => new AppError('invalid', 'request body is nil'),
  unreadableBody: () => new AppError('invalid', 'failed to read body from request'),
  invalidJson: () => new AppError('invalid', 'invalid json'),
  emptyBatch: () => new AppError('invalid', 'empty batch payload'),
  notAnEvent: () => new AppError('invalid', 'event is not a valid rudder event'),
  unidentifiable: () => new AppError('invalid', 'request neither has anonymousId nor userId'),
  tooLarge: () => exceeds(`${INTAKE_BODY_BYTES_MAX} bytes`),
  eventTooLarge: () => exceeds(`${EVENT_BYTES_MAX} bytes an event`),
  tooManyEvents: () => exceeds(`${BATCH_EVENTS_MAX} events`),
  tooManyRequests: () => new AppError('rate_limited', 'max requests limit reached'),
  unavailable: (cause?: unknown) => new AppError('unavailable', 'service unavailable', undefined, { cause }),
  unknownEncoding: () =>
    new HttpProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'content encoding is neither gzip nor identity'),
};

/** Appends the limit to the known text. */
function exceeds(limit: string): AppError {
  return new AppError('too_large', `request size exceeds max limit of ${limit}`);
}
