import {
  type ConnectionRecord,
  type DestinationRecord,
  type EventBatch,
  type JsonObject,
  orderIdOf,
  type SourceRecord,
  spreadPartitionOf,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';

/** A name that no other test uses. */
export const uniqueName = (prefix: string): string => `${prefix} ${newKsuid()}`;

/** Each builder returns a valid object with its own ids. Pass in `overrides` what the test is about. */
export const trackEvent = (overrides: JsonObject = {}): JsonObject => ({
  type: 'track',
  messageId: newKsuid(),
  userId: `user-${newKsuid()}`,
  event: 'Order Completed',
  properties: { total: 42, currency: 'EUR' },
  context: { library: { name: 'test', version: '1.0.0' } },
  originalTimestamp: '2026-01-02T03:04:05.678Z',
  ...overrides,
});

export const eventBatch = (overrides: Partial<EventBatch> = {}): EventBatch => ({
  batchId: newKsuid(),
  workspaceId: newKsuid(),
  sourceId: newKsuid(),
  writeKey: newKsuid(),
  receivedAt: new Date().toISOString(),
  inventoryRevision: 0,
  events: [trackEvent()],
  ...overrides,
});

/** One batch for each partition, as the intake makes of a request to a source that is spread. `overrides` apply to each. */
export function spreadBatches(
  { workspaceId, id, partitions }: Pick<SourceRecord, 'workspaceId' | 'id' | 'partitions'>,
  all: readonly JsonObject[],
  overrides: Partial<EventBatch> = {},
): EventBatch[] {
  const place = (event: JsonObject) => spreadPartitionOf({ workspaceId, id, partitions }, orderIdOf(event) ?? '');
  return [...Map.groupBy(all, place)].map(([partition, events]) =>
    eventBatch({ workspaceId, sourceId: id, partition, events, ...overrides }),
  );
}

export const sourceRecord = (overrides: Partial<SourceRecord> = {}): SourceRecord => ({
  id: newKsuid(),
  workspaceId: newKsuid(),
  name: uniqueName('source'),
  type: 'HTTP',
  writeKey: newKsuid(),
  enabled: true,
  partitions: 1,
  ...overrides,
});

/** Seal `sealedConfig` with the test's own key. */
export const destinationRecord = (
  overrides: Partial<DestinationRecord> & Pick<DestinationRecord, 'sealedConfig'>,
): DestinationRecord => ({
  id: newKsuid(),
  workspaceId: newKsuid(),
  name: uniqueName('destination'),
  type: 'WEBHOOK',
  enabled: true,
  ...overrides,
});

export const connectionRecord = (
  overrides: Partial<ConnectionRecord> & Pick<ConnectionRecord, 'sourceId' | 'destinationId'>,
): ConnectionRecord => ({ id: newKsuid(), workspaceId: newKsuid(), enabled: true, ...overrides });
