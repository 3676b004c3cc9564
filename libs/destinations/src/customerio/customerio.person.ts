import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** The id of a person at Customer.io, or the e-mail address if there is none. */
export const personOf = (event: JsonObject) => kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.trait('email')]);

export const personPath = (event: JsonObject) =>
  kit.pathSegment(personOf(event) ?? kit.refuse('userId or traits.email is required'));

/** Time of the event in seconds, Customer.io's unit. */
export const secondsOf = (event: JsonObject) => kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));
