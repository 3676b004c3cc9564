import type { JsonObject } from '@weir/contracts';

export interface EventOrigin {
  workspaceId: string;
  /** Missing when a test names only a destination. */
  sourceId?: string | undefined;
  destination: { id: string; name: string; type: string };
}

/** The known fields of `metadata(event)` in user code. */
export function eventMetadata(event: JsonObject, { workspaceId, sourceId, destination }: EventOrigin): JsonObject {
  const eventName = event['type'] === 'track' ? event['event'] : event['name'];
  return {
    workspaceId,
    ...(sourceId !== undefined && { sourceId }),
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
