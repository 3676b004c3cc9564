import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { personOf, secondsOf } from './customerio.person.js';

const DEVICE_EVENTS = ['Application Installed', 'Application Opened'];
const UNINSTALLED = 'Application Uninstalled';
const APPLE = ['ios', 'watchos', 'ipados', 'tvos'];

/** Events of unknown users have a separate path. */
export function eventPath(event: JsonObject): string {
  const person = personOf(event);
  if (person) return `v1/customers/${kit.pathSegment(person)}/events`;
  if (!kit.textAt(event, 'anonymousId')) kit.refuse('userId, traits.email or anonymousId is required');
  return 'v1/events';
}

export function eventBody(event: JsonObject, type: string, name: string): JsonObject {
  const anonymousId = personOf(event) ? undefined : kit.textAt(event, 'anonymousId');
  const { properties } = event;
  const data = isJsonObject(properties) ? properties : undefined;
  return kit.compact({ name, type, data, timestamp: secondsOf(event), anonymous_id: anonymousId });
}

/** App events with a push token tell which devices a person has. */
export function deviceCall(
  event: JsonObject,
  config: JsonObject,
  name: string,
): [method: string, path: string, body?: JsonObject] | undefined {
  const [person, token] = [personOf(event), kit.textAt(event, 'context.device.token')];
  if (name === UNINSTALLED) {
    if (!person || !token) kit.refuse(`${UNINSTALLED} needs a userId or traits.email, and context.device.token`);
    return ['DELETE', `v1/customers/${kit.pathSegment(person)}/devices/${kit.pathSegment(token)}`];
  }
  const registers = [...DEVICE_EVENTS, kit.configText(config, 'deviceTokenEventName')].includes(name);
  if (!registers || !person || !token) return undefined;
  const type = (kit.textAt(event, 'context.device.type') ?? '').toLowerCase();
  const own = {
    id: token,
    platform: APPLE.includes(type) ? 'ios' : type,
    ...kit.compact({ last_used: secondsOf(event) }),
  };
  const device = kit.merged(kit.objectAt(event, 'properties'), own);
  return ['PUT', `v1/customers/${kit.pathSegment(person)}/devices`, { device }];
}
