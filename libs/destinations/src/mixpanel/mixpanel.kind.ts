import type { DestinationKind } from '../kind.js';
import { mixpanelBatch } from './mixpanel.batch.js';
import { mixpanelDefinition } from './mixpanel.definition.js';
import { mixpanelDeletion } from './mixpanel.delete.js';
import { mixpanelTransform } from './mixpanel.transform.js';

export const mixpanel: DestinationKind = {
  definition: mixpanelDefinition,
  transform: mixpanelTransform,
  batch: () => mixpanelBatch,
  ...mixpanelDeletion,
};
