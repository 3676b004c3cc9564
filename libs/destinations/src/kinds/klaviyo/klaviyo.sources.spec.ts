import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, FIRST_NAME, IP, KNOWN_USER_ID, LAST_NAME, property, trait, USER_ID } from '../../toolkit/index.js';
import klaviyo from './klaviyo.js';

const CONFIG = { privateApiKey: 'k', apiVersion: 'v3', listId: 'L', consent: 'email' };
const identify = { type: 'identify', anonymousId: 'anon-1' };
const track = { type: 'track', event: 'Paid', anonymousId: 'anon-1' };
const group = { type: 'group', groupId: 'L', traits: { subscribe: true }, context: {} };
/** A part of an address, which may be a trait of its own. */
const place = (...names: string[]) => [
  ...trait(...names, ...names.map((name) => `address.${name}`)),
  ...property(...names),
];
const anywhere = (name: string) => [...trait(name), ...property(name)];
const located = (name: string) => [name, `context.address.${name}`, `context.location.${name}`];

describe('a Klaviyo profile', () => {
  it.each<SourcesRow>([
    ['external_id', KNOWN_USER_ID, asItIs],
    ['anonymous_id', ['anonymousId'], asItIs],
    ['email', EMAIL, asItIs],
    ['first_name', FIRST_NAME, asItIs],
    ['last_name', LAST_NAME, asItIs],
    ['title', anywhere('title'), asItIs],
    ['organization', anywhere('organization'), asItIs],
    ['image', anywhere('image'), asItIs],
    ['location.city', place('city'), asItIs],
    [
      'location.region',
      [
        ...place('region'),
        ...['traits.state', 'traits.address.state', 'context.traits.address.state', 'context.traits.state'],
        'properties.state',
      ],
      asItIs,
    ],
    ['location.country', place('country'), asItIs],
    ['location.zip', place('zip', 'postalcode', 'postalCode'), asItIs],
    ['location.ip', IP, asItIs],
    ['location.timezone', anywhere('timezone'), asItIs],
    ['location.latitude', located('latitude'), asItIs],
    ['location.longitude', located('longitude'), asItIs],
    ['location.address1', place('street'), asItIs],
    ['_kx', trait('_kx'), asItIs],
  ])('has %s from %j', (key, ...row) => {
    expectSources(bodyWith(klaviyo, CONFIG, identify), [`data.attributes.${key}`, ...row]);
  });
});

const NAMES_V1 = ['event', 'properties.event', 'properties.name'];
const CONSENTS = ['context.traits.consent', 'traits.consent', 'properties.consent'];

describe('an event, a list and the oldest revision of Klaviyo', () => {
  const metric = 'data.attributes.metric';
  const person = 'data.attributes.profiles.data.0.attributes';

  it.each<[config: JsonObject, event: JsonObject, ...SourcesRow]>([
    [{}, { ...track, event: '' }, `${metric}.data.attributes.name`, ['event', 'name'], asItIs],
    [{}, track, 'data.attributes.time', ['timestamp', 'originalTimestamp'], asItIs],
    [{}, track, 'data.attributes.unique_id', ['messageId'], asItIs],
    [{}, track, 'data.attributes.value_currency', ['properties.currency'], asItIs],
    [{}, track, 'data.attributes.profile.data.attributes.email', trait('email'), asItIs],
    [{}, group, `${person}.email`, [...EMAIL, 'context.externalId.0.id'], asItIs],
    [{ apiVersion: 'v1' }, { ...track, event: '' }, `${metric}.name`, NAMES_V1, asItIs],
    [{ apiVersion: 'v1' }, track, 'data.attributes.time', ['timestamp'], asItIs],
    [{ apiVersion: 'v1' }, track, 'data.attributes.profile.$id', USER_ID, asItIs],
    [{ apiVersion: 'v1' }, track, 'data.attributes.profile.$email', trait('email'), asItIs],
    [{ apiVersion: 'v1' }, track, 'data.attributes.profile.$address1', place('street'), asItIs],
    [{ apiVersion: 'v1' }, track, 'data.attributes.profile.$consent', CONSENTS, asItIs],
  ])('with %j, of %j, has %s from %j', (config, event, ...row) => {
    expectSources(bodyWith(klaviyo, { ...CONFIG, ...config }, event), row);
  });

  it.each(['traits', 'context.traits'])('has its list from %s', (traits) => {
    const wanted = { email: 'a@b.c', properties: { subscribe: true } };
    const list = bodyWith(klaviyo, CONFIG, withValues(identify, { [traits]: wanted }), 1);
    expectSources(list, ['data.relationships.list.data.id', [`${traits}.properties.listId`], asItIs]);
  });
});
