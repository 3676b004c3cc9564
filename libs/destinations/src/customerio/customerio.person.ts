import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** The id, or else the address, by which Customer.io knows a person. */
export const personOf = (event: JsonObject) => kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.trait('email')]);

/** A text as part of an address. */
export const segment = (id: string): string =>
  id === '.' || id === '..' || !id.isWellFormed()
    ? kit.refuse('the user id cannot be part of an address')
    : encodeURIComponent(id);

export const personPath = (event: JsonObject) =>
  segment(personOf(event) ?? kit.refuse('userId or traits.email is required'));

/** When it happened, in the unit of Customer.io. */
export const secondsOf = (event: JsonObject) => kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));
