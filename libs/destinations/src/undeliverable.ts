import { AppError, type JsonObject } from '@weir/contracts';
import type { DestinationKind } from './kind.js';

/** For kinds that delete users and do not take events: the reason is shown in dead letters; tests are not supported at all. */
export const undeliverable = (displayName: string): Pick<DestinationKind, 'transform' | 'takesNoEvents'> => ({
  takesNoEvents: true,
  transform: (_event: JsonObject) => {
    throw new AppError('invalid', `Weir cannot deliver events to ${displayName}; it can delete users there`);
  },
});
