import type { JsonObject } from './ids.js';

/** Where an event comes from and goes to. */
export interface EventOrigin {
  workspaceId: string;
  /** Missing when a test names only a destination. Only its id is known once the source is deleted. */
  source?: { id: string; name?: string; type?: string } | undefined;
  destination: { id: string; name: string; type: string };
}

/** The known fields of `metadata(event)` in user code. */
export function eventMetadata(event: JsonObject, { workspaceId, source, destination }: EventOrigin): JsonObject {
  const eventName = event['type'] === 'track' ? event['event'] : event['name'];
  return {
    workspaceId,
    ...textAs('sourceId', source?.id),
    ...textAs('sourceName', source?.name),
    ...textAs('sourceType', source?.type),
    ...(source && { sourceCategory: '' }), // Weir has none, and code written for other pipelines reads it
    destinationId: destination.id,
    destinationName: destination.name,
    destinationType: destination.type,
    ...textAs('messageId', event['messageId']),
    ...textAs('eventName', eventName),
    ...textAs('eventType', event['type']),
    ...textAs('receivedAt', event['receivedAt']),
  };
}

const textAs = (key: string, value: unknown): JsonObject => (typeof value === 'string' ? { [key]: value } : {});

const TEST_SOURCE = { id: 'test-source', name: 'Test source', type: 'HTTP' };
const TEST_DESTINATION = { id: 'test-destination', name: 'Test destination', type: 'WEBHOOK' };

/** The result of `metadata(event)` in a test of code. It has the names of live traffic, so that code which passes also runs. */
export const testMetadata = (workspaceId: string, event: JsonObject): JsonObject =>
  eventMetadata(event, { workspaceId, source: TEST_SOURCE, destination: TEST_DESTINATION });
