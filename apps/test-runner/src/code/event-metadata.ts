import type { JsonObject } from '@weir/contracts';

export interface EventOrigin {
  workspaceId: string;
  /** Unknown in a test of a destination alone. */
  sourceId?: string | undefined;
  destination: { id: string; name: string; type: string };
}

/** What user code gets from `metadata(event)`, as far as it is known. */
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
