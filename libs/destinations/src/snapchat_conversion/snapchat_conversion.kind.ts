import type { DestinationKind } from '../kind.js';
import { snapchatConversionDefinition } from './snapchat_conversion.definition.js';
import { snapchatConversionBatch, snapchatConversionTransform } from './snapchat_conversion.transform.js';

export const snapchatConversion: DestinationKind = {
  definition: snapchatConversionDefinition,
  transform: snapchatConversionTransform,
  batch: () => snapchatConversionBatch,
};
