import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
  prototype: RequestQueue;
};

/**
 * From its first answer on, the client library looks for waiting requests each millisecond, on every connection and whether there are
 * any. Its delay is a time minus the clock, so Node.js warns of a negative one, too. A request that has to wait asks for a look itself.
 */
const { scheduleCheckPendingRequests } = prototype;
prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
};
