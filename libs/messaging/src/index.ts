export { answerCall } from './answer-call.js';
export { type PulledMessage, type PullOptions, pullOnce } from './bounded-pull.js';
export { flushed } from './broker-link.js';
export { CALL_OBSERVER, type CallObserver, type CallOutcome } from './call-observer.js';
export { connectNats, natsOptions } from './connect.js';
export { isDatabaseAway } from './database-away.js';
export { during, onStall, STALL_MS } from './during.js';
export { GroupPublisher, type Part } from './group-publisher.js';
export { describeIssues, Handles } from './handles.js';
export type { InventoryChange } from './inventory-contents.js';
export { type InventoryMark, InventoryMirror } from './inventory-mirror.js';
export { KeyedQueue } from './keyed-queue.js';
export { Lease, LeaseLostError } from './lease.js';
export { type LeaseHolder, LeaseKeeper, type Log } from './lease-keeper.js';
export { type Claimed, LEASE_RENEW_MS, LEASE_TABLE_SQL, LEASE_TTL_MS, LeaseTable } from './lease-table.js';
export { splitParts, streamMessages } from './message-parts.js';
export { RpcServer } from './nats-server.js';
export { OUTBOX_TABLE_SQL, OutboxRelay, type OutboxRow, outboxAdd } from './outbox.js';
export { type ConsumerLag, PartitionConsumers, type PartitionConsumersOptions } from './partition-consumers.js';
export { type HandleBatch, PartitionWorker } from './partition-worker.js';
export { newRequestId, REQUEST_ID_HEADER, type RequestContext, requestContext } from './request-context.js';
export { RpcClient } from './rpc-client.js';
export { RpcErrorFilter } from './rpc-error.filter.js';
export { SingleFlight } from './single-flight.js';
export { ownTurn, SLICE_MS, Slices } from './slices.js';
export { type Database, deleteInPieces, type Sql } from './sql.js';
export { inTraceOf, type StreamMessage, streamMessage } from './stream-message.js';
export { type Published, type PublishOptions, StreamPublisher } from './stream-publisher.js';
export {
  ACK_WAIT_MS,
  DELIVERIES,
  EPOCH_HEADER,
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  MAX_ACK_PENDING,
  partitionConsumer,
  STREAM_OF,
  type StreamRole,
} from './streams.js';
export { NATS } from './tokens.js';
export { ensureConsumer, ensureTopology, STREAM_BYTES_MAX_DEFAULT, type TopologyOptions } from './topology.js';
export { TopologyWatch, type TopologyWatchOptions } from './topology-watch.js';
export { failSpan, inSpanOf, openSpan, type SpanParts, traceOf } from './tracing.js';
