export { type ClientOptions, createClient, unwrap, type WeirClient } from './client.js';
export { NO_ANSWER, WeirError, type WeirErrorFields } from './error.js';
export type { components, operations, paths } from './generated/api.js';
export type {
  AcceptedEvent,
  DeliveryOutcome,
  LiveEvent,
  LiveFilter,
  LiveOptions,
  SuppressedCount,
} from './live-events.js';
export { type RetryOptions, retrying } from './retries.js';
export type { Answer, Call, ItemOf, ListPath, Paginate, Schema } from './types.js';
