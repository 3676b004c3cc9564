import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { customFields, isoTime, PERSON } from './ometria.fields.js';

/** When something happened. Properties may tell another time than the event. */
export const TIME: kit.Rule = { from: ['properties.timestamp', ...kit.TIMESTAMP], as: isoTime, required: true };

const EVENT: kit.Mapping = {
  id: { from: ['properties.event_id', 'messageId'], as: kit.onlyId, required: true },
  timestamp: TIME,
  profile_id: { from: 'properties.profile_id', as: kit.onlyId },
  identity_email: PERSON.email,
  identity_account_id: PERSON.id,
};

export const customEventOf = (event: JsonObject, name: string): JsonObject => ({
  '@type': 'custom_event',
  event_type: name,
  ...kit.mapFields(event, EVENT),
  ...customFields(kit.objectAt(event, 'properties'), kit.keysRead(EVENT, 'properties')),
});
