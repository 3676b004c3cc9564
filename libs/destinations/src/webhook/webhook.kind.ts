import type { DestinationKind } from '../kind.js';
import { webhookDefinition } from './webhook.definition.js';
import { webhookDelete } from './webhook.delete.js';
import { webhookDeliver } from './webhook.deliver.js';
import { webhookTransform } from './webhook.transform.js';

export const webhook: DestinationKind = {
  definition: webhookDefinition,
  transform: webhookTransform,
  deliver: webhookDeliver,
  delete: webhookDelete,
};
