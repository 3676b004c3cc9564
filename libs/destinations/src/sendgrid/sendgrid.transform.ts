import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { byType } from '../toolkit/index.js';
import { contactCall } from './sendgrid.contact.js';
import { mailCall } from './sendgrid.mail.js';

/** Users become contacts, and configured events become mails. */
export const sendgridTransform = (event: JsonObject, config: JsonObject): Payload[] =>
  byType(event, {
    identify: () => [contactCall(event, config)],
    track: () => [mailCall(event, config)],
  });
