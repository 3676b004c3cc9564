import type { DestinationKind } from '../kind.js';
import { zendeskDefinition } from './zendesk.definition.js';
import { zendeskDeliver } from './zendesk.deliver.js';
import { zendeskTransform } from './zendesk.transform.js';

export const zendesk: DestinationKind = {
  definition: zendeskDefinition,
  transform: zendeskTransform,
  deliver: zendeskDeliver,
};
