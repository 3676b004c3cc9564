import type { DestinationKind } from '../kind.js';
import { facebookConversionsDefinition } from './facebook_conversions.definition.js';
import { facebookConversionsBatch, facebookConversionsDeliver } from './facebook_conversions.deliver.js';
import { facebookConversionsTransform } from './facebook_conversions.transform.js';

export const facebookConversions: DestinationKind = {
  definition: facebookConversionsDefinition,
  transform: facebookConversionsTransform,
  batch: () => facebookConversionsBatch,
  deliver: facebookConversionsDeliver,
};
