import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { cartOf, purchaseOf } from './iterable.commerce.js';
import { iterableDeletion } from './iterable.deletion.js';
import { iterableRequests } from './iterable.requests.js';
import { eventOf, type Mapped, mappedBy, personOf, registrationOf, userOf } from './iterable.user.js';

export default defineKind({
  name: 'ITERABLE',
  displayName: 'Iterable',
  messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('Server-side API key')),
    dataCenter: kit.asAddress(
      kit.words(['USDC', 'EUDC'], 'Data center: `EUDC` in Europe, anything else means the United States'),
    ),
    // Clients also send an object by kind of source, such as `{web}`, which only SDKs in the browser use.
    packageName: kit.field({
      type: ['string', 'object', 'null'],
      maxLength: 256,
      description: 'Name of the app whose devices are registered, for devices that do not name it',
    }),
    preferUserId: kit.flag('Make a user with the user id when there is none with the email address'),
    mergeNestedObjects: kit.flag('Merge objects of a user instead of replacing them'),
    mapToSingleEvent: kit.flag('All pages and screens that are sent are one event'),
    trackAllPages: kit.flag('Send pages and screens'),
    trackNamedPages: kit.flag('Send those with a name'),
    trackCategorisedPages: kit.flag('Send those with a category'),
    registerDeviceOrBrowserApiKey: kit.secret('API key that may register devices and browsers'),
  },
  example: { dataCenter: 'USDC', trackAllPages: true, packageName: 'com.example.shop' },
  requests: iterableRequests,
  /** https://api.iterable.com/api/docs */
  transform(event, config) {
    const origin =
      kit.configText(config, 'dataCenter') === 'EUDC' ? 'https://api.eu.iterable.com' : 'https://api.iterable.com';
    const call: Call = (path, body, key = kit.requiredText(config, 'apiKey')) =>
      kit.jsonRequest(
        `${origin}/api/${path}`,
        kit.pick(body, (value) => value !== undefined),
        { headers: { api_key: key } },
      );
    const viewed = (what: View) => [call('events/track', viewOf(event, config, what))];
    return kit.byType(event, {
      identify: () => {
        const mapped = mappedBy(event);
        return mapped.type === 'users' ? userCalls(mapped.event, config, call) : [catalogCall(mapped, call)];
      },
      track: () => [trackCall(event, config, call)],
      page: () => viewed('page'),
      screen: () => viewed('screen'),
      alias: () => [
        call('users/updateEmail', {
          currentEmail: kit.textAt(event, 'previousId') ?? kit.refuse('previousId is required'),
          newEmail: kit.textAt(event, 'userId') ?? kit.refuse('userId is required'),
        }),
      ],
    });
  },
  deletion: iterableDeletion,
});

type Call = (path: string, body: JsonObject, key?: string) => Payload;
type View = 'page' | 'screen';

/** Updates a user, and registers the token of a device or browser if the configuration has a key for that. */
function userCalls(event: JsonObject, config: JsonObject, call: Call): Payload[] {
  const update = call('users/update', userOf(event, config));
  const key = kit.configText(config, 'registerDeviceOrBrowserApiKey');
  const registration = key === '' ? undefined : registrationOf(event, config);
  return registration ? [update, call(registration.path, registration.body, key)] : [update];
}

/** Records of a reverse ETL source that are not users are items of a catalog. */
function catalogCall({ type, id, event }: Mapped, call: Call): Payload {
  const update = kit.objectAt(event, 'traits');
  if (kit.isEmpty(update)) kit.refuse('traits are required for an item of a catalog');
  return call(`catalogs/${kit.pathSegment(type)}/items`, { catalogId: id, update });
}

/** Names are compared in lower case and otherwise literally. */
function trackCall(event: JsonObject, config: JsonObject, call: Call): Payload {
  const name = event['event'];
  switch (kit.toLowerCase(name)) {
    case 'product added':
    case 'product removed':
      return call('commerce/updateCart', cartOf(event, config));
    case 'order completed':
      return call('commerce/trackPurchase', purchaseOf(event, config));
    default: {
      const id = kit.toText(kit.firstAt(event, 'properties.event_id'));
      return call('events/track', {
        ...personOf(event),
        ...eventOf(event),
        id,
        ...kit.withoutEmpty({ eventName: name }),
      });
    }
  }
}

function viewOf(event: JsonObject, config: JsonObject, what: View): JsonObject {
  const name = kit.textAt(event, ['name', 'properties.name']);
  const hasCategory = kit.isGiven(kit.firstAt(event, ['properties.category', 'category']));
  const isWanted =
    kit.isOn(config, 'trackAllPages') ||
    (kit.isOn(config, 'trackCategorisedPages') && hasCategory) ||
    (kit.isOn(config, 'trackNamedPages') && name !== undefined);
  if (!isWanted) kit.refuse(`the configuration does not want this ${what}`);
  const isSingle = kit.isOn(config, 'mapToSingleEvent') || name === undefined;
  const eventName = isSingle ? `Loaded a ${what === 'page' ? 'Page' : 'Screen'}` : `${name} ${what}`;
  return { ...personOf(event), ...eventOf(event), eventName };
}
