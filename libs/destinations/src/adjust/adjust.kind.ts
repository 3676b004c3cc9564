import type { DestinationKind } from '../kind.js';

import { adjustDefinition } from './adjust.definition.js';
import { adjustTransform } from './adjust.transform.js';

export const adjust: DestinationKind = {
  definition: adjustDefinition,
  transform: adjustTransform,
};
