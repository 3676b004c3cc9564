import { AppError, type JsonObject } from '@weir/contracts';
import type { DestinationKind } from './kind.js';

/** The `transform` of a kind that deletes users and does not take events: the reason is shown in tests and dead letters. */
export function undeliverable(displayName: string): DestinationKind['transform'] {
  return (_event: JsonObject) => {
    throw new AppError('invalid', `Weir cannot deliver events to ${displayName}; it can delete users there`);
  };
}
