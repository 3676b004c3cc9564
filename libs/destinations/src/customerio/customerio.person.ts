import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** The id, or else the address, by which Customer.io knows a person. */
export const personOf = (event: JsonObject) => kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.trait('email')]);

export const personPath = (event: JsonObject) =>
  kit.pathSegment(personOf(event) ?? kit.refuse('userId or traits.email is required'));

/** When it happened, in the unit of Customer.io. */
export const secondsOf = (event: JsonObject) => kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));
