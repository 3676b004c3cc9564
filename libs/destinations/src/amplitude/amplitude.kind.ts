import type { DestinationKind } from '../kind.js';
import { amplitudeDefinition } from './amplitude.definition.js';
import { amplitudeDeletion } from './amplitude.delete.js';
import { amplitudeBatch, amplitudeTransform } from './amplitude.transform.js';

export const amplitude: DestinationKind = {
  definition: amplitudeDefinition,
  transform: amplitudeTransform,
  batch: () => amplitudeBatch,
  ...amplitudeDeletion,
};
