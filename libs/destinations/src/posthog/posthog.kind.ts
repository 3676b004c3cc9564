import type { DestinationKind } from '../kind.js';
import { posthogDefinition } from './posthog.definition.js';
import { posthogDeletion } from './posthog.delete.js';
import { posthogBatch, posthogTransform } from './posthog.transform.js';

export const posthog: DestinationKind = {
  definition: posthogDefinition,
  transform: posthogTransform,
  batch: () => posthogBatch,
  ...posthogDeletion,
};
