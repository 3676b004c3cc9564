import type { DestinationKind } from '../kind.js';
import { kafkaDefinition } from './kafka.definition.js';
import { KafkaSession } from './kafka.session.js';
import { kafkaSettings } from './kafka.settings.js';
import { kafkaTransform } from './kafka.transform.js';

export const kafka: DestinationKind = {
  definition: kafkaDefinition,
  transform: kafkaTransform,
  takesEventsWhole: true,
  open: (config, outbound) => new KafkaSession(kafkaSettings(config), outbound),
  // Half of the default limit of brokers.
  batching: { payloadsMax: 500, bytesMax: 524_288, waitMs: 20 },
};
