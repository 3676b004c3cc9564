import type { JsonObject } from '@weir/contracts';
import type { DestinationPart } from '../src/units/delivery-unit.js';

/** A part with these events. */
export const partOf = (events: JsonObject[], overrides: Partial<DestinationPart> = {}): DestinationPart => ({
  batchId: 'b1',
  workspaceId: 'w1',
  sourceId: 's1',
  destinationId: 'd1',
  receivedAt: '2026-01-01T00:00:00.000Z',
  events,
  ...overrides,
});
