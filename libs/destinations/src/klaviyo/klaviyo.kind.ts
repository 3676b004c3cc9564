import type { DestinationKind } from '../kind.js';
import { klaviyoDefinition } from './klaviyo.definition.js';
import { klaviyoDeletion } from './klaviyo.delete.js';
import { klaviyoBatch } from './klaviyo.subscription.js';
import { klaviyoTransform } from './klaviyo.transform.js';

export const klaviyo: DestinationKind = {
  definition: klaviyoDefinition,
  transform: klaviyoTransform,
  batch: () => klaviyoBatch,
  ...klaviyoDeletion,
};
