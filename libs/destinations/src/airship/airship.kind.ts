import type { DestinationKind } from '../kind.js';

import { airshipDefinition } from './airship.definition.js';
import { airshipTransform } from './airship.transform.js';

export const airship: DestinationKind = {
  definition: airshipDefinition,
  transform: airshipTransform,
};
