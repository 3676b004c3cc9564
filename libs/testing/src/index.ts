export { freePort } from '@weir/local-servers';
export { type Answer, type Api, api, basic, type Caller, type RequestOptions } from './api.js';
export {
  connectionRecord,
  destinationRecord,
  eventBatch,
  sourceRecord,
  spreadBatches,
  trackEvent,
  uniqueName,
} from './builders.js';
export { type TestDatabase, useDatabase } from './database.js';
export { entityDrift } from './entity-drift.js';
export { heardLog } from './heard-log.js';
export { type HostileEvent, hostileEvents } from './hostile-events.js';
export { deleteInventory, loseInventory, markInventory, putInventory } from './inventory.js';
export { formsOf, holds, sampleConfig, sampleEvents, tracer } from './kind-samples.js';
export { freeLeases, loseLeases } from './leases.js';
export { waitingForLocks } from './locks.js';
export { logTails } from './log-tails.js';
export { memoryLimitOf, peakBytes, whileAlive } from './memory.js';
export { type NameAnswer, type NameServer, nameServer } from './name-server.js';
export { isTestBrokerReliable, type TestNats, useNats } from './nats.js';
export { type ObjectStore, objectStore } from './object-store.js';
export { PATIENCE_MS } from './patience.js';
export { patientJetStream, patientManager } from './patient-jetstream.js';
export { PatientRpcClient } from './patient-rpc.js';
export { type QueryPlan, rowsVisited } from './query-plan.js';
export { type RecordedRequest, type RecordingServer, type Reply, recordingServer } from './recording-server.js';
export { REPEATING_SERVERS, type RepeatingServer } from './repeating-servers.js';
export { startRpcApp } from './rpc-app.js';
export { launchProcess, type ServiceProcess, startProcess } from './service-process.js';
export { type Code, StandIns } from './stand-ins.js';
export { type TcpProxy, useTcpProxy } from './tcp-proxy.js';
export { countTurns, holdLoop } from './turns.js';
export { until } from './until.js';
export { type Vendor, vendorBehind } from './vendor.js';
export { within } from './within.js';
