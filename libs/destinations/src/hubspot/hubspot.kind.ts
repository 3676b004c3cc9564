import type { DestinationKind } from '../kind.js';
import { hubspotBatch } from './hubspot.batch.js';
import { hubspotDefinition } from './hubspot.definition.js';
import { hubspotTransform } from './hubspot.transform.js';

export const hubspot: DestinationKind = {
  definition: hubspotDefinition,
  transform: hubspotTransform,
  batch: () => hubspotBatch,
};
