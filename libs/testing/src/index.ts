export { type Answer, type Api, api, basic, type Caller, type RequestOptions } from './api.js';
export {
  connectionRecord,
  destinationRecord,
  eventBatch,
  identifyEvent,
  sourceRecord,
  trackEvent,
  uniqueName,
} from './builders.js';
export { type TestDatabase, useDatabase } from './database.js';
export { logTails } from './log-tails.js';
export { type TestNats, useNats } from './nats.js';
export { type RecordedRequest, type RecordingServer, type Reply, recordingServer } from './recording-server.js';
export { type ServiceProcess, startProcess } from './service-process.js';
export { launchStack, removeStack, sharedStack, shareStack, type TestStackOptions, useStack } from './stack.js';
export { until } from './until.js';
