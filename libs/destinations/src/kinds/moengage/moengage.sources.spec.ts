import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { property, trait, USER_ID } from '../../toolkit/index.js';
import moengage from './moengage.js';

const CONFIG = { apiId: 'w', apiKey: 'k', region: 'EU' };
const identify = { type: 'identify', anonymousId: 'anon-1' };
const device = { ...identify, context: { device: { type: 'android', token: 't' } } };
const track = { type: 'track', event: 'Paid', userId: 'ada' };
const either = (...names: string[]) => names.flatMap((name) => trait(name));

describe('a field of MoEngage', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [{ type: 'identify' }, 'customer_id', USER_ID, asItIs],
    [identify, 'attributes.name', trait('name'), asItIs],
    [identify, 'attributes.first_name', trait('firstname', 'first_name', 'firstName'), asItIs],
    [identify, 'attributes.last_name', trait('lastname', 'last_name', 'lastName'), asItIs],
    [identify, 'attributes.email', trait('email'), asItIs],
    [identify, 'attributes.gender', trait('gender'), asItIs],
    [identify, 'attributes.mobile', trait('mobile'), asItIs],
    [identify, 'attributes.source', trait('source'), asItIs],
    [identify, 'attributes.created_time', trait('createdAt'), asItIs],
    [identify, 'attributes.last_seen', either('last_seen', 'lastSeen'), asItIs],
    [identify, 'attributes.moe_unsubscribe', either('moe_unsubscribe', 'moeUnsubscribe'), asItIs],
    [{ type: 'track', event: 'e' }, 'customer_id', USER_ID, asItIs],
    [track, 'device_id', ['context.device.id'], asItIs],
    [track, 'actions.0.action', ['event'], asItIs],
    [track, 'actions.0.platform', ['context.device.type', 'channel'], asItIs],
    [track, 'actions.0.app_version', ['context.app.version'], asItIs],
    [track, 'actions.0.current_time', ['timestamp', 'originalTimestamp'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(moengage, CONFIG, event), row);
  });

  it.each<SourcesRow>([
    ['attributes.platform', ['context.device.type'], asItIs],
    ['attributes.push_id', ['context.device.token'], asItIs],
    ['attributes.model', ['context.device.model'], asItIs],
    ['attributes.push_preference', property('push_preference', 'pushPreference'), asItIs],
    ['attributes.app_version', ['context.app.version'], asItIs],
    ['attributes.os_version', ['context.os.version'], asItIs],
    ['attributes.active', ['properties.active'], asItIs],
    ['device_id', ['context.device.id'], asItIs],
  ])('of a device, %s, is read from %j', (...row) => {
    expectSources(bodyWith(moengage, CONFIG, device, 1), row);
  });
});
