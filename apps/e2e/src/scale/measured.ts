import type { Costs } from './model.js';

/**
 * Microseconds on two cores that also ran the load and the destination, on 2026-11-28 (`npm run bench -- scale-model --measure`). Events of 0.4 KB, one
 * webhook without user code. Programs that are not here do less than 3 us for an event.
 */
export const MEASURED: Costs = new Map([
  ['gateway.main', { message: 227, event: 17 }],
  ['regulation-service.filter', { message: 153, event: 20 }],
  ['delivery-service.deliverer', { message: 201, event: 267 }],
  ['schema-service.collector', { message: 77, event: 17 }],
  ['nats-server', { message: 130, event: 9 }],
  ['postgres', { message: 58, event: 1 }],
]);
