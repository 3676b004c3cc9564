import type { DestinationKind } from '../kind.js';
import { clevertapBatch } from './clevertap.batch.js';
import { clevertapDefinition } from './clevertap.definition.js';
import { clevertapDeletion } from './clevertap.delete.js';
import { clevertapTransform } from './clevertap.transform.js';

export const clevertap: DestinationKind = {
  definition: clevertapDefinition,
  transform: clevertapTransform,
  batch: () => clevertapBatch,
  ...clevertapDeletion,
};
