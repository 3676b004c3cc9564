import type { DestinationKind } from '../kind.js';
import { iterableDefinition } from './iterable.definition.js';
import { iterableDeletion } from './iterable.delete.js';
import { iterableTransform } from './iterable.transform.js';

export const iterable: DestinationKind = {
  definition: iterableDefinition,
  transform: iterableTransform,
  ...iterableDeletion,
};
