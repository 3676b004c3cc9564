import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { flatParams, trackEvent, userProperties } from './ga4.params.js';

const HOST = 'www.google-analytics.com';
/**
 * Google ignores events outside this window:
 * https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#payload_post_body
 */
const HOUR_MS = 3_600_000;
const PAST_HOURS_MAX = 72;
const FUTURE_MAX_MS = 15 * 60_000;
const CONSENTS = ['ad_user_data', 'ad_personalization'];
const CONSENT_STATES = ['GRANTED', 'DENIED'];
const PAGE: kit.Mapping = {
  page_location: ['properties.url', 'context.page.url'],
  page_referrer: ['properties.referrer', 'context.page.referrer'],
  page_title: ['properties.title', 'context.page.title'],
};

/** Converts an event to a request of the Measurement Protocol. */
export function ga4Transform(event: JsonObject, config: JsonObject): Payload[] {
  const { name, params } = kit.byType(event, {
    track: () => trackEvent(event),
    page: () => {
      const properties = kit.omit(kit.objectAt(event, 'properties'), ['url', 'referrer', 'title', ...STEERING]);
      return { name: 'page_view', params: kit.merged(flatParams(properties), kit.mapFields(event, PAGE)) };
    },
    group: () => {
      const traits = kit.omit(kit.objectAt(event, 'traits'), STEERING);
      return {
        name: 'join_group',
        params: kit.merged(flatParams(traits), kit.mapFields(event, { group_id: 'groupId' })),
      };
    },
  });
  const stream = streamOf(event, config);
  const body = {
    ...stream.body,
    ...common(event, config),
    events: [{ name, params: kit.merged(params, session(event, config)) }],
  };
  const path = kit.isOn(config, 'debugMode') ? 'debug/mp/collect' : 'mp/collect';
  return [kit.jsonRequest(`https://${HOST}/${path}`, body, { headers: { host: HOST }, params: stream.params })];
}

const STEERING = ['user_properties', 'engagementTimeMsec', 'sessionId', 'sessionNumber'];

const own = (event: JsonObject) =>
  kit.integrationOptions(event, 'GA4', 'Google Analytics 4', 'Google Analytics 4 (GA4)');
const isHybrid = (config: JsonObject) => config['connectionMode'] === 'hybrid';

/** The sender: the client id of a browser for a web stream, or the instance id of an app for an app stream. */
function streamOf(event: JsonObject, config: JsonObject): { params: JsonObject; body: JsonObject } {
  const secret = { api_secret: kit.requiredText(config, 'apiSecret') };
  if (config['typesOfClient'] === 'firebase') {
    const id = kit.externalId(event, 'ga4AppInstanceId');
    if (!id) kit.refuse('an external id of type ga4AppInstanceId is required');
    return {
      params: { ...secret, firebase_app_id: kit.requiredText(config, 'firebaseAppId') },
      body: { app_instance_id: id },
    };
  }
  const ofPage = isHybrid(config) ? kit.textAt(own(event), 'clientId') : undefined;
  const id = ofPage ?? kit.externalId(event, 'ga4ClientId') ?? kit.textAt(event, 'anonymousId');
  if (!id) kit.refuse('an anonymousId or an external id of type ga4ClientId is required');
  return { params: { ...secret, measurement_id: kit.requiredText(config, 'measurementId') }, body: { client_id: id } };
}

function common(event: JsonObject, config: JsonObject): JsonObject {
  const isTracked = kit.toBoolean(kit.valueAt(event, 'context.device.adTrackingEnabled'));
  const user_properties = event['type'] === 'track' ? userProperties(event, config) : {};
  const consent = consentOf(event);
  return {
    ...kit.compact({ user_id: kit.textAt(event, kit.KNOWN_USER_ID), timestamp_micros: timestampOf(event) }),
    ...(isTracked !== undefined && { non_personalized_ads: !isTracked }),
    ...(!kit.isEmpty(user_properties) && { user_properties }),
    ...(!kit.isEmpty(consent) && { consent }),
  };
}

function timestampOf(event: JsonObject): number | undefined {
  const at = kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP));
  if (at === undefined) return undefined;
  const age = Date.now() - at;
  if (Math.floor(age / HOUR_MS) > PAST_HOURS_MAX || age < -FUTURE_MAX_MS) {
    kit.refuse('the event must be from the last 72 hours and not more than 15 minutes ahead');
  }
  return at * 1_000;
}

function consentOf(event: JsonObject): JsonObject {
  const given = kit.objectAt(own(event), 'consents');
  return kit.pick(given, (value, key) => CONSENTS.includes(key) && CONSENT_STATES.includes(String(value)));
}

/** Google counts a user as active only with a session and an engagement time. */
function session(event: JsonObject, config: JsonObject): JsonObject {
  const from = isHybrid(config) ? own(event) : {};
  const steering = kit.objectAt(event, event['type'] === 'group' ? 'traits' : 'properties');
  return kit.compact({
    session_id: from['sessionId'] ?? steering['sessionId'] ?? kit.valueAt(event, 'context.sessionId'),
    session_number: from['sessionNumber'] ?? steering['sessionNumber'],
    timezone_name: kit.textAt(event, 'context.timezone'),
    engagement_time_msec: steering['engagementTimeMsec'] ?? 1,
  });
}
