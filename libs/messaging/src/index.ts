export { answerCall } from './answer-call.js';
export { CALL_OBSERVER, type CallObserver, type CallOutcome } from './call-observer.js';
export { connectNats, natsOptions } from './connect.js';
export { isDatabaseAway } from './database-away.js';
export { GroupPublisher, type Part } from './group-publisher.js';
export { describeIssues, Handles } from './handles.js';
export { type InventoryChange, InventoryMirror } from './inventory-mirror.js';
export { KeyedQueue } from './keyed-queue.js';
export { type LeaseHolder, LeaseKeeper, type Log } from './lease-keeper.js';
export { LEASE_RENEW_MS, LEASE_TABLE_SQL, LEASE_TTL_MS, LeaseTable } from './lease-table.js';
export { splitParts, streamMessages } from './message-parts.js';
export { RpcServer } from './nats-server.js';
export { OUTBOX_TABLE_SQL, OutboxRelay, type OutboxRow, outboxAdd } from './outbox.js';
export { type ConsumerLag, PartitionConsumers, type PartitionConsumersOptions } from './partition-consumers.js';
export { type HandleBatch, PartitionWorker } from './partition-worker.js';
export { newRequestId, REQUEST_ID_HEADER, type RequestContext, requestContext } from './request-context.js';
export { RpcClient } from './rpc-client.js';
export { RpcErrorFilter } from './rpc-error.filter.js';
export { SingleFlight } from './single-flight.js';
export type { Database, Sql } from './sql.js';
export { inTraceOf, type StreamMessage, streamMessage } from './stream-message.js';
export { type Published, StreamPublisher } from './stream-publisher.js';
export {
  ACK_WAIT_MS,
  DELIVERIES,
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  ensureConsumer,
  ensureTopology,
  MAX_ACK_PENDING,
  partitionConsumer,
  STREAM_BYTES_MAX_DEFAULT,
  STREAM_OF,
  type StreamRole,
  type TopologyOptions,
} from './streams.js';
export { NATS } from './tokens.js';
export { failSpan, inSpanOf, openSpan, type SpanParts } from './tracing.js';
