import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { commerceEvent } from './attentive_tag.events.js';
import { externalIdentifiers, happening, identifiers, user } from './attentive_tag.user.js';

/** https://docs.attentive.com/openapi/reference/ */
const API = 'https://api.attentivemobile.com/v1';
const SUBSCRIPTION_EVENT = 'subscription_event';
/** Attentive refuses older events. */
const AGE_MAX_MS = 12 * 3_600_000;
const BAD_CHARACTERS = /['"{}[\],]/;
const CHANNELS: Readonly<Record<string, { key: 'email' | 'phone'; name: string }>> = {
  email: { key: 'email', name: 'EMAIL' },
  sms: { key: 'phone', name: 'TEXT' },
};
/** Joining identities needs at least two identifiers. */
const IDENTIFIERS_MIN = 2;

type Call = [path: string, body: JsonObject];

export function attentiveTagTransform(event: JsonObject, config: JsonObject): Payload[] {
  const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
  const calls = kit.byType<Call[]>(event, {
    identify: () =>
      kit.isOn(config, 'enableNewIdentifyFlow') ? identities(event) : [subscriptionOfIdentify(event, config)],
    track: () => {
      const name = kit.eventName(event);
      if (name === SUBSCRIPTION_EVENT) return subscriptions(event, config);
      refuseBadEvents(event);
      return [
        commerceEvent(event, name) ?? [
          'events/custom',
          { type: name, properties: kit.objectAt(event, 'properties'), ...happening(event) },
        ],
      ];
    },
  });
  return calls.map(([path, body]) => kit.jsonRequest(`${API}/${path}`, body, { headers }));
}

function refuseBadEvents(event: JsonObject): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && age > AGE_MAX_MS) kit.refuse('the event must be from the last 12 hours');
  const bad = Object.keys(kit.objectAt(event, 'properties')).find((key) => BAD_CHARACTERS.test(key));
  if (bad !== undefined) kit.refuse(`the property ${bad} has a character that Attentive does not take`);
}

/** The identifiers of a person to join, and the other traits as attributes. */
function identities(event: JsonObject): Call[] {
  const ids = identifiers(event);
  const who = { ...user(event), ...externalIdentifiers(event, ['clientUserId', 'customIdentifiers']) };
  const properties = kit.compact(
    kit.omit(kit.traitsOf(event), ['email', 'phone', 'customIdentifiers', 'userId', 'anonymousId']),
  );
  const calls: Call[] = [];
  if (Object.keys(ids).length >= IDENTIFIERS_MIN) calls.push(['identity-resolution/user-identifiers', ids]);
  if (!kit.isEmpty(who) && !kit.isEmpty(properties)) calls.push(['attributes/custom', { user: who, properties }]);
  if (calls.length === 0) kit.refuse('the event has no identifiers to join and no attributes to set');
  return calls;
}

const options = (event: JsonObject) => kit.integrationOptions(event, 'attentive_tag', 'attentive tag');

function signUpSource(event: JsonObject, config: JsonObject): string {
  const own = kit.textAt(event, 'properties.signUpSourceId') ?? kit.textAt(options(event), 'signUpSourceId');
  return own ?? (kit.configText(config, 'signUpSourceId') || kit.refuse('signUpSourceId is required to subscribe'));
}

function subscriptionOfIdentify(event: JsonObject, config: JsonObject): Call {
  const { identifyOperation, subscriptions: given, notification } = options(event);
  const who = user(event);
  if (kit.isEmpty(who)) kit.refuse('traits.email or traits.phone is required');
  if (String(identifyOperation ?? '').toLowerCase() === 'unsubscribe') {
    return ['subscriptions/unsubscribe', { user: who, ...kit.compact({ subscriptions: given, notification }) }];
  }
  return ['subscriptions', { user: who, signUpSourceId: signUpSource(event, config), ...externalIdentifiers(event) }];
}

/** `properties.channelConsents: [{ channel: 'email' | 'sms', consented, type? }]`. */
function subscriptions(event: JsonObject, config: JsonObject): Call[] {
  const who = user(event);
  if (kit.isEmpty(who)) kit.refuse('traits.email or traits.phone is required');
  const given = kit.valueAt(event, 'properties.channelConsents');
  const consents = (Array.isArray(given) ? given.filter(isJsonObject) : []).filter(
    ({ channel }) => String(channel) in CHANNELS,
  );
  if (consents.length === 0) kit.refuse('properties.channelConsents needs a channel: email or sms');
  const on = consents.filter(({ consented }) => consented === true);
  const off = consents.filter(({ consented }) => consented === false);
  const people = (list: JsonObject[]) =>
    kit.pick(who, (_, key) => list.some(({ channel }) => kit.lookedUp(CHANNELS, String(channel))?.key === key));
  const calls: Call[] = [];
  if (on.length > 0) calls.push(['subscriptions', { user: people(on), signUpSourceId: signUpSource(event, config) }]);
  if (off.length > 0) {
    const list = off.map(({ channel, type }) => ({
      type: type ?? 'MARKETING',
      channel: kit.lookedUp(CHANNELS, String(channel))?.name,
    }));
    const notification = kit.valueAt(event, 'properties.notification');
    calls.push([
      'subscriptions/unsubscribe',
      { user: people(off), subscriptions: list, ...kit.compact({ notification }) },
    ]);
  }
  return calls;
}
