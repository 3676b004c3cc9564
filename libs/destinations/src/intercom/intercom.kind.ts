import type { DestinationKind } from '../kind.js';
import { intercomDefinition } from './intercom.definition.js';
import { intercomDeletion } from './intercom.delete.js';
import { intercomDeliver } from './intercom.deliver.js';
import { intercomTransform } from './intercom.transform.js';

export const intercom: DestinationKind = {
  definition: intercomDefinition,
  transform: intercomTransform,
  deliver: intercomDeliver,
  ...intercomDeletion,
};
