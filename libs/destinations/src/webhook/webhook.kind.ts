import type { DestinationKind } from '../kind.js';
import { webhookDefinition } from './webhook.definition.js';
import { webhookDelete } from './webhook.delete.js';
import { webhookTransform } from './webhook.transform.js';

export const webhook: DestinationKind = {
  definition: webhookDefinition,
  transform: webhookTransform,
  takesEventsWhole: true,
  delete: webhookDelete,
};
