import type { DestinationKind } from './kind.js';
import { refuseLarge } from './size-of-event.js';
import { meter } from './toolkit/index.js';

/** The kind with its work bounded: an event of too many parts is refused before, one that would grow many times after. */
export const bounded = (kind: DestinationKind): DestinationKind => ({
  ...kind,
  transform: (event, config) => {
    refuseLarge(event, kind.takesEventsWhole);
    const payloads = kind.transform(event, config);
    meter()(payloads);
    return payloads;
  },
});
