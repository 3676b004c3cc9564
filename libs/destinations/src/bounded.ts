import type { DestinationKind } from './kind.js';
import { meter } from './toolkit/index.js';

/** The kind with its payloads bounded: an event that would grow many times is refused. */
export const bounded = (kind: DestinationKind): DestinationKind => ({
  ...kind,
  transform: (event, config) => {
    const payloads = kind.transform(event, config);
    meter()(payloads);
    return payloads;
  },
});
