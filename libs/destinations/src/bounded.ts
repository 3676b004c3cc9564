import type { DestinationKind } from './kind.js';
import { refuseLarge } from './size-of-event.js';
import { meter } from './toolkit/index.js';

/**
 * Wraps a kind with limits. Refuses an event with too many parts before the transform, and payloads that are too large after it.
 */
export const bounded = (kind: DestinationKind): DestinationKind => ({
  ...kind,
  transform: (event, config) => {
    refuseLarge(event, kind.takesEventsWhole);
    const payloads = kind.transform(event, config);
    meter()(payloads);
    return payloads;
  },
});
