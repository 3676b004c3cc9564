import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { amplitudeDeletion } from './amplitude.deletion.js';
import { eventId, eventOf, options } from './amplitude.event.js';
import { trackEvents, viewEvent } from './amplitude.track.js';
import { attribution, finished, traitsOf, userProperties, withMappedIdentity } from './amplitude.user.js';

const TRAITS = ['traits'];

/** Limit: 2,000 events and 1 MB, https://amplitude.com/docs/apis/analytics/http-v2#upload-limit */
const amplitudeBatch = kit.batchLists(['events'], { itemsMax: 1_000, bytesMax: 950_000, isOfSome: isOfBusyUsers });

const BUSY = ['throttled_users', 'throttled_devices'];
const TRIED_LATER = 503;

/** A 429 that names users or devices is about them, so other events of the destination need not wait. */
export const amplitudeDeliver: NonNullable<DestinationKind['deliver']> = async (
  payload,
  _config,
  outbound,
  options,
) => {
  const result = await sendPayload(payload, outbound, options);
  return result.status === 429 && isOfBusyUsers(result) ? { ...result, status: TRIED_LATER } : result;
};

/** https://amplitude.com/docs/apis/analytics/http-v2#429-too-many-requests-for-a-device */
function isOfBusyUsers({ response }: DeliveryResult): boolean {
  return BUSY.some((key) => !kit.isEmpty(kit.objectAt(response, key)));
}

const ID = { type: ['string', 'number'] };
const FORM_KEYS = { api_key: kit.FILLED_TEXT, identification: { type: 'array' }, mapping: { type: 'array' } };

export default defineKind({
  name: 'AM',
  displayName: 'Amplitude',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.text('API key')),
    apiSecret: kit.secret('Secret key, for deletion'),
    residencyServer: kit.asAddress(
      kit.words(['EU', 'standard'], 'Data residency: `EU`, anything else means the United States'),
    ),
    groupTypeTrait: kit.text('Trait of a group that holds its type'),
    groupValueTrait: kit.text('Trait of a group that holds its value'),
    traitsToIncrement: kit.listOf(TRAITS, 'Traits that are added to what is there'),
    traitsToSetOnce: kit.listOf(TRAITS, 'Traits that are set once'),
    traitsToAppend: kit.listOf(TRAITS, 'Traits that are appended'),
    traitsToPrepend: kit.listOf(TRAITS, 'Traits that are prepended'),
    enableEnhancedUserOperations: kit.flag(
      'Send the other traits as $set, so that operations do not stand beside plain keys',
    ),
    trackProductsOnce: kit.flag('Keep the products of an order in its event'),
    trackRevenuePerProduct: kit.flag('Count revenue by product, with an event for each'),
    mapDeviceBrand: kit.flag('Take device_brand from context.device.brand'),
    useUserDefinedPageEventName: kit.flag('Name page events by userProvidedPageEventString'),
    userProvidedPageEventString: kit.text('Name of page events. {{ path }} is filled in from the event'),
    useUserDefinedScreenEventName: kit.flag('Name screen events by userProvidedScreenEventString'),
    userProvidedScreenEventString: kit.text('Name of screen events. {{ path }} is filled in from the event'),
  },
  example: { apiKey: 'public-key', groupTypeTrait: 'name', groupValueTrait: 'domain' },
  requests: {
    'POST /2/httpapi': {
      type: 'object',
      required: ['api_key', 'events'],
      properties: {
        api_key: kit.FILLED_TEXT,
        events: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['event_type'],
            properties: {
              event_type: kit.FILLED_TEXT,
              user_id: ID,
              device_id: ID,
              session_id: { type: 'number' },
              time: { type: ['number', 'null'] },
              event_properties: { type: 'object' },
              user_properties: { type: 'object' },
              groups: { type: 'object' },
            },
            anyOf: [{ required: ['user_id'] }, { required: ['device_id'] }],
          },
        },
      },
    },
    'POST /groupidentify': { type: 'object', required: ['api_key', 'identification'], properties: FORM_KEYS },
    'POST /usermap': { type: 'object', required: ['api_key', 'mapping'], properties: FORM_KEYS },
  },
  /** The requests to Amplitude for an event: `/2/httpapi`, and `/groupidentify` and `/usermap` for groups and aliases. */
  transform(received, config) {
    const event = withMappedIdentity(received);
    const send = (...events: JsonObject[]) => events.map((item) => request(event, config, item));
    return kit.byType(event, {
      identify: () => {
        const user_properties = userProperties(event, config, 'identify');
        return send(eventOf(event, config, { event_type: '$identify', user_properties }));
      },
      track: () => send(...trackEvents(event, config)),
      page: () => send(viewEvent(event, config, 'Page')),
      screen: () => send(viewEvent(event, config, 'Screen')),
      group: () => {
        const group = groupOf(event, config);
        const { group_type: type, group_value: value } = group ?? {};
        const member = type && value ? { [String(type)]: value } : {};
        const user_properties = finished(kit.merged(attribution(event), member), config);
        const groups = kit.isEmpty(member) ? {} : { groups: member };
        return [
          ...send(eventOf(event, config, { event_type: '$identify', user_properties, ...groups })),
          ...(group ? [form(event, config, 'groupidentify', { identification: [JSON.stringify(group)] })] : []),
        ];
      },
      alias: () => [form(event, config, 'usermap', { mapping: [JSON.stringify(aliasOf(event, config))] })],
    });
  },
  batch: amplitudeBatch,
  deliver: amplitudeDeliver,
  deletion: amplitudeDeletion,
});

/** The group that the traits named in the configuration describe. Without them, what the sender wrote for Amplitude. */
function groupOf(event: JsonObject, config: JsonObject): JsonObject | undefined {
  const [typeTrait, valueTrait] = ['groupTypeTrait', 'groupValueTrait'].map((key) => kit.configText(config, key));
  if (!typeTrait || !valueTrait) {
    const { groups } = options(event);
    return isJsonObject(groups) ? groups : undefined;
  }
  const traits = traitsOf(event);
  const [group_type, group_value] = [typeTrait, valueTrait].map(
    (path) => kit.lookedUp(traits, path) ?? kit.valueAt(traits, path),
  );
  if (typeof group_type !== 'string' || (typeof group_value !== 'string' && typeof group_value !== 'number'))
    kit.refuse('the traits named by groupTypeTrait and groupValueTrait must be texts');
  if (!group_type || !group_value) kit.refuse('the traits named by groupTypeTrait and groupValueTrait are empty');
  return { group_type, group_value, group_properties: traits };
}

const ALIAS: kit.Mapping = {
  global_user_id: ['traits.global_user_id', 'userId'],
  user_id: ['traits.user_id', 'previousId'],
};

/** `unmap` in the options dissolves an earlier alias. */
function aliasOf(event: JsonObject, config: JsonObject): JsonObject {
  const { unmap, skipUserPropertiesSync } = options(event);
  const { global_user_id, user_id } = kit.mapFields(event, ALIAS);
  return kit.compact({
    global_user_id: unmap ? undefined : global_user_id,
    user_id: unmap || user_id,
    event_id: eventId(event),
    user_properties: finished(attribution(event), config),
    $skip_user_properties_sync: skipUserPropertiesSync ? true : undefined,
    unmap: unmap ? true : undefined,
  });
}

const host = (config: JsonObject) =>
  config['residencyServer'] === 'EU' ? 'https://api.eu.amplitude.com' : 'https://api2.amplitude.com';
const anonymousId = (event: JsonObject) => ({ userId: kit.textAt(event, 'anonymousId') });

/** Allows ids of one character. Amplitude requires five by default. */
const request = (event: JsonObject, config: JsonObject, item: JsonObject): Payload =>
  kit.jsonRequest(
    `${host(config)}/2/httpapi`,
    { api_key: kit.requiredText(config, 'apiKey'), events: [item], options: { min_id_length: 1 } },
    anonymousId(event),
  );

const form = (event: JsonObject, config: JsonObject, path: string, fields: JsonObject): Payload =>
  kit.restPayload({
    method: 'POST',
    endpoint: `${host(config)}/${path}`,
    body: { FORM: { api_key: kit.requiredText(config, 'apiKey'), ...fields } },
    ...anonymousId(event),
  });
