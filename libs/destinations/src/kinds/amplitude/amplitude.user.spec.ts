import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import amplitude from './amplitude.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform({ ...ada, ...event }, { apiKey: 'k', ...config });
const first = (event: JsonObject, config: JsonObject = {}) => objectAt(send(event, config)[0], 'body.JSON.events.0');
const userOf = (event: JsonObject, config: JsonObject = {}) => first(event, config)['user_properties'];
const identify = { type: 'identify' };
const track = { type: 'track', event: 'Paid' };
const TYPES = ['identify', 'track', 'page', 'screen', 'group'];

describe('the user properties', () => {
  const traits = {
    plan: 'pro',
    address: { city: 'Turin', zip: '1', street: 'Po' },
    city: 'Rome',
    region: 'r',
    tags: [1],
  };

  it.each(['track', 'page', 'screen'])('of a %s are all traits but the place', (type) => {
    const expected = { plan: 'pro', address: { zip: '1', street: 'Po' }, region: 'r', tags: [1] };
    expect(userOf({ ...track, type, traits })).toEqual(expected);
    expect(userOf({ ...track, type, context: { traits } })).toEqual(expected);
    expect(userOf({ ...track, type, traits: {}, context: { traits } })).toEqual({});
    expect(userOf({ ...track, type, traits: { address: 'Via Po' }, userProperties: { a: 1 } })).toEqual({
      address: 'Via Po',
    });
  });

  it('of an identify have the parts of the address, and what the event adds', () => {
    const event = { ...identify, traits: { ...traits, street: 'own' }, userProperties: { a: 1, plan: 'free' } };
    expect(userOf(event)).toEqual({ street: 'own', plan: 'pro', region: 'r', tags: [1], a: 1 });
    expect(userOf({ ...identify, traits: { address: 'Via Po' } })).toEqual({});
  });

  it('name the campaign and the referrer', () => {
    const page = { initial_referrer: '$direct', initial_referring_domain: '' };
    const context = { page, campaign: { name: 'spring', source: 's', own: null } };
    const expected = { initial_referrer: '$direct', initial_referring_domain: '', utm_name: 'spring', utm_source: 's' };
    for (const type of TYPES) expect(userOf({ ...track, type, context })).toEqual({ ...expected, utm_own: null });
  });

  const lists = {
    traitsToIncrement: [{ traits: 'visits' }, { traits: 'both' }],
    traitsToSetOnce: [{ traits: 'both' }, { traits: 'plan.name' }, { traits: 'absent' }],
    traitsToAppend: [{ traits: 'none' }],
    traitsToPrepend: [{ traits: '' }, {}],
  };
  const known = { visits: 1, both: 2, plan: { name: 'pro', seats: 5 }, zero: 0 };
  const operations = { $add: { visits: 1, both: 2 }, $setOnce: { 'plan.name': 'pro' }, $append: {} };

  it('hold the configured operations', () => {
    expect(userOf({ ...identify, traits: known }, lists)).toEqual({ plan: { seats: 5 }, zero: 0, ...operations });
    expect(userOf({ ...track, traits: known }, lists)).toEqual(known);
  });

  it('are all under $set or another operation if that is enhanced', () => {
    const config = { ...lists, enableEnhancedUserOperations: true };
    const place = { address: { city: 'Turin' } };
    expect(userOf({ ...identify, traits: { ...known, ...place } }, config)).toEqual({
      $set: { plan: { seats: 5 }, zero: 0, city: 'Turin' },
      ...operations,
    });
    expect(userOf({ ...track, traits: { ...known, visits: 0 } }, config)).toEqual({
      $set: { visits: 0, plan: known.plan, zero: 0 },
      ...{ ...operations, $add: { visits: 0, both: 2 } },
    });
    expect(userOf({ type: 'group' }, config)).toEqual({ $set: {} });
  });

  it.each<[unknown, JsonObject]>([
    [['plan', 5], { plan: 1, $unset: { plan: '-' } }],
    [[], { plan: 1, $unset: {} }],
    ['plan', { plan: 1 }],
  ])('unset %j', (fieldsToUnset, expected) => {
    const event = { traits: { plan: 1 }, integrations: { Amplitude: { fieldsToUnset } } };
    expect(userOf({ ...identify, ...event })).toEqual(expected);
    expect(userOf({ ...track, ...event })).toEqual({ plan: 1 });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['device_id', { traits: {} }, { device_id: 'x', user_properties: { device_id: 'x' } }],
    ['device_id', {}, { device_id: 'anon-1', user_properties: { device_id: 'x' } }],
    ['user_id', { traits: {} }, { user_id: 'x', user_properties: { user_id: 'x' } }],
    ['', { traits: {} }, { user_id: 'ada', user_properties: {} }],
  ])('name the user of a sync by %j', (identifierType, event, expected) => {
    const context = { mappedToDestination: true, externalId: [{ identifierType, id: 'x', type: 'AM-users' }] };
    expect(first({ ...identify, ...event, context })).toMatchObject(expected);
  });
});
