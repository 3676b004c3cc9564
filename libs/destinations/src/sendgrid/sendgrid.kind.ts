import type { DestinationKind } from '../kind.js';
import { sendgridBatch } from './sendgrid.contact.js';
import { sendgridDefinition } from './sendgrid.definition.js';
import { sendgridDeletion } from './sendgrid.delete.js';
import { sendgridDeliver } from './sendgrid.deliver.js';
import { sendgridTransform } from './sendgrid.transform.js';

export const sendgrid: DestinationKind = {
  definition: sendgridDefinition,
  transform: sendgridTransform,
  batch: () => sendgridBatch,
  deliver: sendgridDeliver,
  ...sendgridDeletion,
};
