import { AppError, type JsonObject } from '@weir/contracts';
import type { DestinationKind } from './kind.js';

/** For kinds that delete users but accept no events. Dead letters show the reason. Such kinds do not support tests. */
export const undeliverable = (displayName: string): Pick<DestinationKind, 'transform' | 'takesNoEvents'> => ({
  takesNoEvents: true,
  transform: (_event: JsonObject) => {
    throw new AppError('invalid', `Weir cannot deliver events to ${displayName}; it can delete users there`);
  },
});
