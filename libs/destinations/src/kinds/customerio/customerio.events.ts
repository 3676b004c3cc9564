import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const DEVICE_EVENTS = ['Application Installed', 'Application Opened'];
const UNINSTALLED = 'Application Uninstalled';

/** Bytes of the name of an anonymous event. */
const NAME_BYTES_MAX = 100;

/** Path and body of an event. Events of unknown people have a path of their own, and shorter names. */
export function eventCall(
  event: JsonObject,
  type: 'event' | 'page',
  name: string | undefined,
): [path: string, body: JsonObject] {
  const person = personOf(event);
  const { properties } = event;
  const body = { type, data: isJsonObject(properties) ? properties : undefined, timestamp: secondsOf(event) };
  if (person) return [`v1/customers/${kit.pathSegment(person)}/events`, kit.compact({ name, ...body })];
  const anonymousId = kit.textAt(event, 'anonymousId') ?? kit.refuse('userId, traits.email or anonymousId is required');
  if (name === undefined) kit.refuse('a page of an unknown person needs a name or properties.url');
  return ['v1/events', kit.compact({ name: cut(name, NAME_BYTES_MAX), ...body, anonymous_id: anonymousId })];
}

/** The name of a screen. That of an unknown person's is cut inside, so that it ends as all do. */
export function screenName(event: JsonObject): string {
  const name = kit.textAt(event, ['event', 'properties.name', 'name']) ?? kit.refuse('a screen needs a name');
  const [before, after] = ['Viewed ', ' Screen'];
  return `${before}${personOf(event) ? name : cut(name, NAME_BYTES_MAX - before.length - after.length)}${after}`;
}

/** As many whole characters as fit into these bytes. */
function cut(text: string, bytesMax: number): string {
  let [end, bytes] = [0, 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Events of an app with a push token tell which devices a person has. Pages and screens of these names do too. */
export function deviceCall(
  event: JsonObject,
  config: JsonObject,
  name: string | undefined,
): [method: string, path: string, body?: JsonObject] | undefined {
  const [person, token] = [personOf(event), kit.textAt(event, 'context.device.token')];
  if (name === UNINSTALLED) {
    if (!person || !token) kit.refuse(`${UNINSTALLED} needs a userId or an email, and context.device.token`);
    return ['DELETE', `v1/customers/${kit.pathSegment(person)}/devices/${kit.pathSegment(token)}`];
  }
  const registering = [...DEVICE_EVENTS, kit.configText(config, 'deviceTokenEventName')];
  if (name === undefined || !registering.includes(name) || !person || !token) return undefined;
  const type = kit.onlyText(kit.firstAt(event, 'context.device.type'))?.toLowerCase();
  const platform = kit.isApple(type) ? 'ios' : type;
  const own = kit.compact({ id: token, platform, last_used: secondsOf(event) });
  return [
    'PUT',
    `v1/customers/${kit.pathSegment(person)}/devices`,
    { device: kit.merged(kit.objectAt(event, 'properties'), own) },
  ];
}

/** The id of a person at Customer.io, or the e-mail address if there is none. */
export const personOf = (event: JsonObject) => kit.textAt(event, [...kit.KNOWN_USER_ID, ...kit.LINKED_EMAIL]);

/** Time of the event in seconds, Customer.io's unit. */
export const secondsOf = (event: JsonObject) => kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));
