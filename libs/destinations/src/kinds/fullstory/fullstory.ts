import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { sendPayload } from '../../delivery/send-payload.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const API = 'https://api.fullstory.com/v2';
const ID: readonly kit.Conversion[] = [kit.onlyId, kit.toText];

/** https://developer.fullstory.com/server/users/create-user/: adds a user, or updates the one with this `uid`. */
const USER: kit.Mapping = {
  uid: { from: kit.KNOWN_USER_ID, as: ID, required: true },
  email: { from: kit.TRAIT_EMAIL, as: kit.onlyText },
  display_name: { from: kit.trait('name', 'displayName'), as: kit.onlyText },
};

/** https://developer.fullstory.com/server/events/create-event/ */
const EVENT: kit.Mapping = {
  timestamp: { from: kit.TIMESTAMP, as: givenTime },
  'context.browser.url': { from: 'context.page.url', as: kit.onlyText },
  'context.browser.user_agent': { from: 'context.userAgent', as: kit.onlyText },
  'context.browser.initial_referrer': { from: 'context.page.initial_referrer', as: kit.onlyText },
  'context.mobile.app_name': { from: 'context.app.name', as: kit.onlyText },
  'context.mobile.app_version': { from: 'context.app.version', as: ID },
  'context.device.manufacturer': { from: 'context.device.manufacturer', as: kit.onlyText },
  'context.device.model': { from: 'context.device.model', as: kit.onlyText },
  'context.location.ip_address': { from: kit.IP, as: kit.onlyText },
  'context.location.latitude': { from: 'properties.latitude', as: kit.toNumber },
  'context.location.longitude': { from: 'properties.longitude', as: kit.toNumber },
  'context.location.city': { from: 'properties.city', as: kit.onlyText },
  'context.location.region': { from: 'properties.region', as: kit.onlyText },
  'context.location.country': { from: 'properties.country', as: kit.onlyText },
  'session.id': { from: ['properties.sessionId', 'context.sessionId'], as: ID },
  'user.uid': { from: ['properties.userId', ...kit.KNOWN_USER_ID], as: ID },
};

const objectOfTexts = (...keys: string[]) => ({
  type: 'object',
  minProperties: 1,
  properties: kit.objectOf(keys.map((key) => [key, kit.FILLED_TEXT])),
});
const PLACE = { latitude: { type: 'number' }, longitude: { type: 'number' } };
const LOCATION = objectOfTexts('ip_address', 'city', 'region', 'country');
const CONTEXT = kit.objectWith([], {
  browser: objectOfTexts('url', 'user_agent', 'initial_referrer'),
  mobile: objectOfTexts('app_name', 'app_version'),
  device: objectOfTexts('manufacturer', 'model'),
  location: { ...LOCATION, properties: { ...LOCATION.properties, ...PLACE } },
});
const WHO = { uid: kit.FILLED_TEXT, email: kit.FILLED_TEXT, display_name: kit.FILLED_TEXT };

export default defineKind({
  name: 'FULLSTORY',
  displayName: 'Fullstory',
  messageTypes: ['track', 'identify'],
  config: {
    apiKey: kit.required(kit.secret('API key')),
    fs_org: kit.text('Organization, which only devices need'),
  },
  example: {},
  requests: {
    'POST /v2/users': kit.objectWith(['uid'], { ...WHO, properties: { type: 'object' } }),
    'POST /v2/events': kit.objectWith(['name'], {
      name: kit.FILLED_TEXT,
      timestamp: kit.FILLED_TEXT,
      properties: { type: 'object' },
      context: CONTEXT,
      session: objectOfTexts('id'),
      user: objectOfTexts('uid'),
    }),
  },
  transform(event, config) {
    const headers = { authorization: `Basic ${kit.requiredText(config, 'apiKey')}` };
    const send = (path: string, body: JsonObject, properties: unknown) => [
      kit.jsonRequest(`${API}/${path}`, { ...body, ...kit.compact({ properties }) }, { headers }),
    ];
    return kit.byType(event, {
      identify: () => send('users', kit.mapFields(event, USER), kit.givenTraits(event)),
      track: () => {
        const name = kit.eventName(event);
        return send('events', { name, ...kit.mapFields(event, EVENT) }, kit.onlyObject(event['properties']));
      },
    });
  },
  deliver: (payload, _config, outbound, options) => sendPayload(withOneId(payload), outbound, options),
});

/**
 * Fullstory refuses an event with both a session and a user. Other vendors have sessions in `context` too, so there only an id in
 * Fullstory's form, `device:session`, wins over the user. https://developer.fullstory.com/server/events/introduction/
 */
function withOneId(payload: Payload): Payload {
  const { session, user, ...rest } = payload.body.JSON;
  if (session === undefined || user === undefined) return payload;
  const id = kit.valueAt(session, 'id');
  const own = kit.toText(kit.onlyId(kit.valueAt(rest, 'properties.sessionId')));
  const isOfFullstory = id === own || String(id).includes(':');
  const body = { ...rest, ...(isOfFullstory ? { session } : { user }) };
  return { ...payload, body: { ...payload.body, JSON: body } };
}

/** An ISO text stays as its sender wrote it, with its zone. */
function givenTime(value: unknown): string | undefined {
  const time = kit.toIso(value);
  return time !== undefined && typeof value === 'string' && value.includes('T') ? value : time;
}
