import type { DestinationKind } from '../kind.js';
import { customerioDefinition } from './customerio.definition.js';
import { customerioDeletion } from './customerio.delete.js';
import { customerioBatch, customerioDeliver } from './customerio.deliver.js';
import { customerioTransform } from './customerio.transform.js';

export const customerio: DestinationKind = {
  definition: customerioDefinition,
  transform: customerioTransform,
  batch: () => customerioBatch,
  deliver: customerioDeliver,
  ...customerioDeletion,
};
