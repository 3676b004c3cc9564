import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';

/** https://developers.getvero.com */
const API = 'https://api.getvero.com/api/v2';

const USER: kit.Mapping = {
  id: { from: kit.USER_ID, as: kit.toText, required: true },
  email: kit.trait('email'),
};
const DEVICE: kit.Mapping = {
  address: 'context.device.token',
  platform: { from: 'context.os.name', as: kit.oneOf({ android: 'android', ios: 'ios' }) },
  device: 'context.device.name',
};
const IDENTITY: kit.Mapping = {
  id: { from: kit.USER_ID, as: kit.toText, required: true },
  email: [...kit.trait('email'), 'properties.email'],
};
const ALIAS: kit.Mapping = {
  id: { from: 'previousId', as: kit.toText, required: true },
  new_id: { from: kit.USER_ID, as: kit.toText, required: true },
};
/** Track events that become separate calls. */
const SUBSCRIPTIONS = ['unsubscribe', 'resubscribe'];

export function veroTransform(event: JsonObject, config: JsonObject): Payload[] {
  const token = { auth_token: kit.requiredText(config, 'authToken') };
  const call = (method: string, path: string, body: JsonObject): Payload =>
    restPayload({ method, endpoint: `${API}/${path}`, body: { JSON: { ...body, ...token } } });
  const eventCall = (name: string): Payload => {
    const data = kit.objectAt(event, 'properties');
    return call('POST', 'events/track', { identity: kit.mapFields(event, IDENTITY), event_name: name, data });
  };
  const tags = (): Payload[] => {
    const { tags: change } = kit.integrationOptions(event, 'vero');
    const { add, remove } = kit.objectAt({ change }, 'change');
    const changes = kit.withoutEmpty({ add, remove });
    if (kit.isEmpty(changes)) return [];
    return [call('PUT', 'users/tags/edit', { id: kit.textAt(event, kit.USER_ID), ...changes })];
  };
  return kit.byType(event, {
    identify: () => [call('POST', 'users/track', userOf(event)), ...tags()],
    track: () => {
      const name = kit.eventName(event);
      const path = name.toLowerCase();
      if (SUBSCRIPTIONS.includes(path))
        return [call('POST', `users/${path}`, { id: kit.textAt(event, kit.USER_ID) }), ...tags()];
      return [eventCall(name), ...tags()];
    },
    page: () => [eventCall(viewed(event, 'Page')), ...tags()],
    screen: () => [eventCall(viewed(event, 'Screen')), ...tags()],
    alias: () => [call('PUT', 'users/reidentify', kit.mapFields(event, ALIAS)), ...tags()],
  });
}

function userOf(event: JsonObject): JsonObject {
  const device = kit.mapFields(event, DEVICE);
  const isDevice = device['address'] !== undefined && device['platform'] !== undefined;
  return {
    ...kit.mapFields(event, USER),
    ...(isDevice && { channels: [{ type: 'push', ...device }] }),
    data: kit.omit(kit.traitsOf(event), ['email']),
  };
}

function viewed(event: JsonObject, what: string): string {
  const words = [
    kit.textAt(event, ['category', 'properties.category']),
    kit.textAt(event, ['name', 'properties.name']),
  ];
  return ['Viewed', ...words.filter(Boolean), what].join(' ');
}
