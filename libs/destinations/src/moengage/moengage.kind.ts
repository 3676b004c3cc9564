import type { DestinationKind } from '../kind.js';

import { moengageDefinition } from './moengage.definition.js';
import { moengageTransform } from './moengage.transform.js';

export const moengage: DestinationKind = {
  definition: moengageDefinition,
  transform: moengageTransform,
};
