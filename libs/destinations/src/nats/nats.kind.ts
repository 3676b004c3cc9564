import type { DestinationKind } from '../kind.js';
import { natsDefinition } from './nats.definition.js';
import { NatsSession } from './nats.session.js';
import { natsSettings } from './nats.settings.js';
import { natsTransform } from './nats.transform.js';

export const nats: DestinationKind = {
  definition: natsDefinition,
  transform: natsTransform,
  takesEventsWhole: true,
  open: (config, outbound) => new NatsSession(natsSettings(config), outbound),
  batching: { payloadsMax: 256, bytesMax: 1_048_576, waitMs: 5 },
};
