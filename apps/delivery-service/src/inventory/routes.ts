import type { EventBatch } from '@weir/contracts';
import type { InventoryMirror } from '@weir/inventory';

/** A connection of a source, and what keeps its events from the destination, if anything does. */
export interface Route {
  destinationId: string;
  /** The switch that is off. */
  off?: 'connection' | 'destination';
}

/** The connections of a source to destinations of its workspace. */
export function routesOf(
  inventory: InventoryMirror,
  { workspaceId, sourceId }: Pick<EventBatch, 'workspaceId' | 'sourceId'>,
): Route[] {
  return inventory.connectionsOf(sourceId).flatMap(({ destinationId, enabled }): Route[] => {
    const destination = inventory.destination(destinationId);
    if (destination?.workspaceId !== workspaceId) return [];
    if (!enabled) return [{ destinationId, off: 'connection' }];
    return [destination.enabled ? { destinationId } : { destinationId, off: 'destination' }];
  });
}

/** The destinations of the routes that nothing keeps events from. */
export const openOf = (routes: readonly Route[]): string[] =>
  routes.filter(({ off }) => off === undefined).map(({ destinationId }) => destinationId);
