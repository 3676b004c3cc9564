import type { DestinationKind } from '../kind.js';
import { brazeDefinition } from './braze.definition.js';
import { brazeDeletion } from './braze.delete.js';
import { brazeBatch, brazeTransform } from './braze.transform.js';

export const braze: DestinationKind = {
  definition: brazeDefinition,
  transform: brazeTransform,
  batch: () => brazeBatch,
  ...brazeDeletion,
};
