import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { BatchRule, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { conversionType, type SnapchatEvent, snapchatEvents } from './snapchat_conversion.events.js';
import { snapchatConversionRequests } from './snapchat_conversion.requests.js';
import { type Conversion, version2Body, version3Event } from './snapchat_conversion.versions.js';

/** https://developers.snap.com/api/marketing-api/Conversions-API */
const HOST = 'https://tr.snapchat.com';
const DAY_MS = 86_400_000;
/** Maximum age of an event. */
const DAYS_MAX = { v2: 37, v3: 7 };
const LIMITS = { itemsMax: 2_000, bytesMax: 2_000_000 };

const lists = kit.batchLists(['data'], LIMITS);
const bodies = kit.batchBodies('', LIMITS);

/** Version 3 has a list in its body. Version 2 takes an array of bodies. */
export const snapchatConversionBatch: BatchRule = {
  ...LIMITS,
  keyOf: (payload) => lists.keyOf(payload) ?? bodies.keyOf(payload),
  combine: (payloads) =>
    payloads[0] && lists.keyOf(payloads[0]) ? lists.combine(payloads) : kit.asJsonArray(payloads),
};

export default defineKind({
  name: 'SNAPCHAT_CONVERSION',
  displayName: 'Snapchat Conversion',
  messageTypes: ['track', 'page'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('Access token')),
    pixelId: kit.text('Pixel, for events of web and shops'),
    snapAppId: kit.text('Snap app id, for events of apps'),
    appId: kit.text('Id of the app in its store'),
    rudderEventsToSnapEvents: kit.listOf(
      ['from', 'to'],
      'Events by another name: yours in `from`, the standard one in `to`',
    ),
    enableDeduplication: kit.flag('Send an id by which Snapchat tells repeated events'),
    deduplicationKey: kit.text('Path of that id in the event. Default: the message id'),
    apiVersion: kit.words(['newApi', 'legacyApi'], '`newApi` is version 3, anything else means version 2'),
  },
  example: { pixelId: 'pixel-1', snapAppId: 'snap-1', appId: '123', apiVersion: 'newApi' },
  requests: snapchatConversionRequests,
  transform(event, config) {
    const events = kit.byType(event, {
      page: () => snapchatEvents('page_view', {}), // a page is never another event by configuration
      track: () => snapchatEvents(kit.eventName(event), config),
    });
    return requests(event, config, events);
  },
  batch: snapchatConversionBatch,
});

/** Version 2 takes one event in a request, version 3 a list. */
function requests(event: JsonObject, config: JsonObject, events: readonly SnapchatEvent[]): Payload[] {
  const token = kit.requiredText(config, 'apiKey');
  const type = conversionType(event);
  const target: Conversion['target'] =
    type === 'MOBILE_APP'
      ? { snap_app_id: kit.requiredText(config, 'snapAppId'), app_id: kit.requiredText(config, 'appId') }
      : { pixel_id: kit.requiredText(config, 'pixelId') };
  const conversions: Conversion[] = events.map((of) => ({ of, type, target }));
  if (config['apiVersion'] !== 'newApi') {
    const bodies = conversions.map((conversion) => version2Body(event, config, conversion));
    for (const body of bodies) refuseAnonymous(body, PERSON.v2);
    refuseOld(event, DAYS_MAX.v2);
    return bodies.map((body) => kit.jsonRequest(`${HOST}/v2/conversion`, body, { headers: kit.bearerAuth(token) }));
  }
  const data = conversions.map((conversion) => version3Event(event, config, conversion));
  for (const { user_data: user } of data) refuseAnonymous(kit.objectAt({ user }, 'user'), PERSON.v3);
  refuseOld(event, DAYS_MAX.v3);
  const account = kit.pathSegment('pixel_id' in target ? target.pixel_id : target.snap_app_id);
  return [kit.jsonRequest(`${HOST}/v3/${account}/events`, { data }, { params: { access_token: token } })];
}

/** Snapchat needs all keys of one of these groups to match a person. */
const PERSON = {
  v2: [['hashed_email'], ['hashed_phone_number'], ['hashed_mobile_ad_id'], ['hashed_ip_address', 'user_agent']],
  v3: [['em'], ['ph'], ['madid'], ['client_ip_address', 'client_user_agent']],
};

function refuseAnonymous(person: JsonObject, groups: readonly (readonly string[])[]): void {
  if (groups.some((keys) => keys.every((key) => person[key] !== undefined))) return;
  kit.refuse('the event needs an email, a phone, an advertising id, or an ip with a user agent');
}

function refuseOld(event: JsonObject, days: number): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && age > days * DAY_MS) kit.refuse(`the event must be from the last ${days} days`);
}
