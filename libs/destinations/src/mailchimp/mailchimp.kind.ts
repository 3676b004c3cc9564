import type { DestinationKind } from '../kind.js';
import { mailchimpDefinition } from './mailchimp.definition.js';
import { mailchimpTransform } from './mailchimp.transform.js';

export const mailchimp: DestinationKind = { definition: mailchimpDefinition, transform: mailchimpTransform };
