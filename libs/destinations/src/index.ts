/** Destination kinds: their definitions, transforms, delivery and deletion. No framework, and no I/O of its own. */
export { sessionOf } from './batch-session.js';
export { deliversThroughDataPlane } from './data-plane-kinds.js';
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
  Outbound,
  OutboundConnection,
  OutboundRequest,
  OutboundResponse,
  Payload,
  SessionItem,
} from './kind.js';
export { objectOf } from './object-of.js';
export { destinationDefinitions, destinationKind } from './registry.js';
export { maskOf, SecretMask } from './secret-mask.js';
export { sendPayload } from './send-payload.js';
export { shownPayloads, type Twin, twinOf, withoutStandIns } from './shown-payloads.js';
