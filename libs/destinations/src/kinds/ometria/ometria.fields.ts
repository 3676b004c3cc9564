import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Ometria takes times in ISO 8601. A text of this form stays as it is, and anything else is no time. */
export const isoTime: kit.Conversion = (time) => {
  if (typeof time === 'number') return kit.toIso(time);
  return typeof time === 'string' && /^\d{4}-\d{2}-\d{2}/.test(time) && kit.toIso(time) ? time : undefined;
};

export const scalar: kit.Conversion = (value) => (kit.isScalar(value) ? value : undefined);

/** The key under which senders name custom fields. Without it, all fields are custom that Ometria does not know. */
const CUSTOM = 'custom_fields';

export function customFields(fields: JsonObject, known: readonly string[]): JsonObject {
  const given = kit.onlyObject(fields[CUSTOM]) as JsonObject | undefined;
  const properties = given ?? kit.omit(fields, [...known, CUSTOM]);
  return kit.isEmpty(properties) ? {} : { properties };
}

/** The person of an event. Both ids are required. */
export const PERSON = {
  id: { from: kit.USER_ID, as: kit.onlyId, required: true },
  email: { from: kit.EMAIL, as: kit.onlyText, required: true },
} satisfies kit.Mapping;
