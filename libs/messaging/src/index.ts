export { allEnded, eachInTurn } from './all-ended.js';
export { type PulledMessage, type PullOptions, pullOnce } from './bounded-pull.js';
export { BytePool } from './byte-pool.js';
export { KeyedQueue, SingleFlight } from './concurrency.js';
export { connectNats, flushed, NATS, onMessage } from './connection.js';
export { ensureTopology, STREAM_BYTES_MAX_DEFAULT, type TopologyOptions } from './ensure-topology.js';
export { during, onStall, ownTurn, SLICE_MS, Slices, STALL_MS, timeInTurn } from './event-loop.js';
export { failedOf, isNobodysFault, noteIn, throwFirst } from './failed-of.js';
export { FairLimiter, NoSlotError } from './fair-limiter.js';
export { type Gathering, gather } from './gather.js';
export { GroupPublisher, type PackableBatch } from './group-publisher.js';
export { describeIssues, Handles, RpcErrorFilter } from './handles.js';
export { nameOf } from './held-messages.js';
export { type Claimed, Lease, LeaseLostError } from './lease.js';
export { type LeaseHolder, LeaseKeeper, type Log } from './lease-keeper.js';
export { LEASE_RENEW_MS, LEASE_TABLE_SQL, LEASE_TTL_MS, LeaseTable } from './lease-table.js';
export { LiveNews } from './live-news.js';
export {
  AUDIT_OUTBOX_SQL,
  auditRelay,
  noteAct,
  OUTBOX_TABLE_SQL,
  OutboxRelay,
  type OutboxRow,
  outboxAdd,
  outboxLanesSql,
} from './outbox.js';
export { isBatch, jsonOf, type NoBatch, readBatch, streamMessages, unpackBatches } from './packed-batches.js';
export { type ConsumerLag, PartitionConsumers, type PartitionConsumersOptions } from './partition-consumers.js';
export { type HandleBatch, PartitionWorker } from './partition-worker.js';
export { Periodic, periodicFailures } from './periodic.js';
export { JsonText, RpcClient } from './rpc-client.js';
export { answerCall, CALL_OBSERVER, type CallObserver, type CallOutcome, RpcServer } from './rpc-server.js';
export {
  inPieces,
  isDatabaseAway,
  type Rows,
  removeRows,
  SQL_STATE,
  type Sql,
  type SqlDatabase,
  sqlStateOf,
} from './sql.js';
export { inTraceOf, type StreamMessage, streamMessage } from './stream-message.js';
export { type Published, type PublishOptions, StreamPublisher } from './stream-publisher.js';
export { LONE_SHARE, StreamShares } from './stream-shares.js';
export {
  ACK_WAIT_MS,
  DELIVERIES,
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  partitionConsumer,
  STREAM_OF,
  type StreamRole,
} from './streams.js';
export { TopologyWatch, type TopologyWatchOptions } from './topology-watch.js';
export {
  failSpan,
  inSpanOf,
  newRequestId,
  openSpan,
  REQUEST_ID_HEADER,
  type RequestContext,
  requestContext,
  type SpanSettings,
  traceOf,
} from './tracing.js';
export { workspaceOf } from './waiting-messages.js';
export { type WorkOwner, workOwner } from './work-owner.js';
