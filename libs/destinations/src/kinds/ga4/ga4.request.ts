import type { JsonObject } from '@weir/contracts';
import { sendPayload } from '../../delivery/send-payload.js';
import type { DestinationKind, Payload, RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { isUserProperty } from './ga4.names.js';
import type { NamedEvent } from './ga4.params.js';

const HOST = 'www.google-analytics.com';
/**
 * Google ignores events outside this window:
 * https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#payload_post_body
 */
const PAST_MAX_S = 72 * 3_600;
const FUTURE_MAX_S = 15 * 60;
/** An event takes some time to get here, and clocks differ. Google decides about events this close to the limit. */
const PAST_GRACE_S = 15 * 60;
const CONSENTS = ['ad_user_data', 'ad_personalization'];
const CONSENT_STATES = ['GRANTED', 'DENIED'];
const IS_TRACKED = kit.oneOf({ true: true, 1: true, false: false, 0: false });

/** Settings of every kind that sends to Google Analytics 4. */
export const GA4_SETTINGS = {
  apiSecret: kit.secret('API secret of the data stream'),
  typesOfClient: kit.choice(['gtag', 'firebase'], 'Web or app data stream'),
  measurementId: kit.text('Measurement ID of a web stream, such as G-XXXX'),
  firebaseAppId: kit.text('Firebase app ID of an app stream'),
  debugMode: kit.flag('Have events checked only: nothing is counted'),
  piiPropertiesToIgnore: kit.listOf(['piiProperty'], 'User properties that are not sent'),
  connectionMode: {
    schema: { description: 'hybrid: client and session are those of the page, from the integrations object' },
  },
};

/** The debug server answers 200 even for an event that Google would drop. Its messages say why. */
export const ga4Deliver: NonNullable<DestinationKind['deliver']> = async (payload, _config, outbound, options) => {
  const result = await sendPayload(payload, outbound, options);
  const [message] = [kit.valueAt(result.response, 'validationMessages')].flat();
  return result.status === 200 && kit.isGiven(message) ? { ...result, status: 400 } : result;
};

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#payload_post_body */
const COLLECT = {
  type: 'object',
  required: ['events'],
  oneOf: [{ required: ['client_id'] }, { required: ['app_instance_id'] }],
  properties: {
    client_id: kit.FILLED_TEXT,
    app_instance_id: kit.FILLED_TEXT,
    timestamp_micros: { type: 'integer' },
    non_personalized_ads: { type: 'boolean' },
    user_properties: { type: 'object', additionalProperties: { type: 'object', required: ['value'] } },
    consent: { type: 'object', additionalProperties: { enum: CONSENT_STATES } },
    events: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'params'],
        properties: {
          name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
          params: { type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } } },
        },
      },
    },
  },
};

export const ga4Requests: RequestSchemas = { 'POST /mp/collect': COLLECT, 'POST /debug/mp/collect': COLLECT };

interface Sending extends NamedEvent {
  /** Those of the destination in the event. */
  options: JsonObject;
  /** Keys of the body that the configuration fills: ids, and further user properties. */
  given?: JsonObject;
}

/** A request of the Measurement Protocol. */
export function collectRequest(event: JsonObject, config: JsonObject, sending: Sending): Payload {
  const { name, params, options, given = {} } = sending;
  const stream = streamOf(event, config, sending);
  const told = common(event, config, options);
  const body = {
    ...stream.body,
    ...told,
    ...kit.mapFields(given, { user_id: { from: 'user_id', as: kit.toText } }),
    ...kit.withoutEmpty({
      user_properties: kit.merged(kit.objectAt(told, 'user_properties'), kit.objectAt(given, 'user_properties')),
    }),
    events: [{ name, params: kit.merged(params, session(config, options)) }],
  };
  const path = kit.isOn(config, 'debugMode') ? 'debug/mp/collect' : 'mp/collect';
  return kit.jsonRequest(`https://${HOST}/${path}`, body, { headers: { host: HOST }, params: stream.params });
}

/** Refuses a configuration without a known type of stream. */
export function checkClient(config: JsonObject): void {
  if (!['gtag', 'firebase'].includes(kit.configText(config, 'typesOfClient'))) {
    kit.refuse("typesOfClient must be gtag or firebase in the destination's configuration");
  }
}

/** Refuses a page that the browser sends itself. */
export function checkPage(config: JsonObject): void {
  if (isHybrid(config)) kit.refuse('Pages go to Google from the browser when connectionMode is hybrid');
}

const isHybrid = (config: JsonObject) => config['connectionMode'] === 'hybrid';

/** The sender: the client id of a browser for a web stream, or the instance id of an app for an app stream. */
function streamOf(
  event: JsonObject,
  config: JsonObject,
  { options, given = {} }: Sending,
): { params: JsonObject; body: JsonObject } {
  const secret = { api_secret: kit.requiredText(config, 'apiSecret') };
  if (config['typesOfClient'] === 'firebase') {
    const id = kit.textAt(given, 'app_instance_id') ?? kit.externalId(event, 'ga4AppInstanceId');
    if (!id) kit.refuse('an external id of type ga4AppInstanceId is required');
    return {
      params: { ...secret, firebase_app_id: kit.requiredText(config, 'firebaseAppId') },
      body: { app_instance_id: id },
    };
  }
  const ofPage = isHybrid(config) ? kit.textAt(options, 'clientId') : undefined;
  const ofEvent = kit.externalId(event, 'ga4ClientId') ?? kit.textAt(event, ['anonymousId', 'rudderId']);
  const id = kit.textAt(given, 'client_id') ?? ofPage ?? ofEvent;
  if (!id) kit.refuse('an anonymousId or an external id of type ga4ClientId is required');
  return { params: { ...secret, measurement_id: kit.requiredText(config, 'measurementId') }, body: { client_id: id } };
}

function common(event: JsonObject, config: JsonObject, options: JsonObject): JsonObject {
  const isTracked = IS_TRACKED(kit.valueAt(event, 'context.device.adTrackingEnabled'));
  return {
    ...kit.compact({ user_id: kit.textAt(event, kit.KNOWN_USER_ID), timestamp_micros: timestampOf(event) }),
    ...(isTracked !== undefined && { non_personalized_ads: !isTracked }),
    ...kit.withoutEmpty({ user_properties: userProperties(event, config), consent: consentOf(options) }),
  };
}

/** `{ name: { value } }` for whatever Google stores. */
function userProperties(event: JsonObject, config: JsonObject): JsonObject {
  const ignored = kit.configWords(config, 'piiPropertiesToIgnore', 'piiProperty');
  const given = kit.merged(kit.objectAt(event, 'properties.user_properties'), kit.objectAt(event, 'context.traits'));
  const kept = Object.entries(kit.omit(given, ignored)).filter(([name, value]) => isUserProperty(name, value));
  return kit.objectOf(kept.map(([name, value]) => [name, { value }]));
}

/** Whole seconds as microseconds. A time that cannot be read is left out, and Google takes the time of arrival. */
function timestampOf(event: JsonObject): number | undefined {
  const at = kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP));
  if (at === undefined) return undefined;
  const age = Math.floor(Date.now() / 1_000) - at;
  if (age > PAST_MAX_S + PAST_GRACE_S || age < -FUTURE_MAX_S) {
    kit.refuse('the event must be from the last 72 hours and not more than 15 minutes ahead');
  }
  return at * 1_000_000;
}

function consentOf(options: JsonObject): JsonObject {
  const given = kit.objectAt(options, 'consents');
  return kit.pick(given, (value, key) => CONSENTS.includes(key) && CONSENT_STATES.includes(String(value)));
}

/** The session of the page, from the integrations object. */
function session(config: JsonObject, options: JsonObject): JsonObject {
  const { sessionId, sessionNumber } = options;
  return kit.compact({ session_id: isHybrid(config) ? sessionId : undefined, session_number: sessionNumber });
}
