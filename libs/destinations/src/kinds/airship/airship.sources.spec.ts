import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { objectOf, USER_ID, uuidOf } from '../../toolkit/index.js';
import airship from './airship.js';

const CONFIG = { apiKey: 'k', appKey: 'app' };
const timestamp = '2026-03-04T05:06:07Z';
const identify = { type: 'identify', timestamp, traits: { vip: true }, context: {} };
const track = { type: 'track', event: 'Paid', userId: 'ada' };
const ofGroup = { ...identify, type: 'group' };

describe('a field of Airship', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'audience.named_user_id', USER_ID, asItIs],
    [ofGroup, 'audience.named_user_id', USER_ID, asItIs],
    [track, 'user.named_user_id', ['userId'], asItIs],
    [track, 'occured', ['timestamp', 'originalTimestamp'], asItIs],
    [track, 'body.session_id', ['properties.sessionId', 'context.sessionId'], uuidOf],
    [track, 'body.interaction_id', ['properties.interactionId'], asItIs],
    [track, 'body.interaction_type', ['properties.interactionType'], asItIs],
    [track, 'body.transaction', ['properties.transaction'], asItIs],
    [track, 'body.value', ['properties.value'], asItIs],
    [track, 'body.name', ['event'], (name) => name.toLowerCase()],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(airship, CONFIG, event), row);
  });

  it.each<SourcesRow>([
    ['first_name', ['traits.firstName', 'context.traits.firstName'], asItIs],
    ['city', ['traits.address.city', 'context.traits.address.city'], asItIs],
    ['zipcode', ['traits.address.postalCode', 'context.traits.address.postalCode'], asItIs],
  ])('%s of a user is read from %j, as traits of one place', (key, ...row) => {
    const attributesWith = (values: JsonObject) => {
      const { attributes } = bodyWith(airship, CONFIG, { type: 'identify', timestamp, userId: 'ada' })(values);
      return objectOf((attributes as JsonObject[]).map((one) => [String(one['key']), one['value']]));
    };
    expectSources(attributesWith, [key, ...row]);
  });
});
