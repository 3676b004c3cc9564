/** Destination kinds: their definitions, transforms, delivery and deletion. Uses no framework, and does no I/O itself. */

export { sessionOf } from './delivery/batch-session.js';
export { sendPayload, TOO_LATE } from './delivery/send-payload.js';
export type {
  BatchRule,
  DeletionOutcome,
  DeletionProgress,
  DeletionRequest,
  DeletionStatusRequest,
  DeliveryBatching,
  DeliveryOptions,
  DeliveryResult,
  DeliverySession,
  DestinationKind,
  ItemOutcome,
  KindDeletion,
  Outbound,
  OutboundConnection,
  OutboundRequest,
  OutboundResponse,
  Payload,
  SessionItem,
} from './kind.js';
export { S3Bucket } from './kinds/s3/s3.bucket.js';
export type { S3Settings } from './kinds/s3/s3.client.js';
export { isUnreadable, removeLines } from './kinds/s3/s3.rewrite.js';
export { maskOf, SecretMask } from './masking/secret-mask.js';
export { shownPayloads, type Twin, twinOf, withoutStandIns } from './masking/shown-payloads.js';
export { deliversThroughDataPlane, destinationDefinitions, destinationKind } from './registry.js';
export { objectOf } from './toolkit/objects.js';
