import type { DestinationKind } from '../kind.js';
import { postgresDefinition } from './postgres.definition.js';
import { PostgresSession } from './postgres.session.js';
import { postgresSettings } from './postgres.settings.js';
import { postgresTransform } from './postgres.transform.js';

export const postgres: DestinationKind = {
  definition: postgresDefinition,
  transform: postgresTransform,
  open: (config, outbound) => new PostgresSession(postgresSettings(config), outbound),
  batching: { payloadsMax: 500, bytesMax: 1_048_576, waitMs: 50 },
};
