import { describe, it } from '@jest/globals';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { IP, KNOWN_USER_ID } from '../../toolkit/index.js';
import appsflyer from './appsflyer.js';

const CONFIG = { authVersion: 'v2', s2sKey: 'k', androidAppId: 'com.example', appleAppId: '1', useRichEventName: true };
const on = (type: string, name: string) => ({
  ...{ type, event: type === 'track' ? 'Paid' : '' },
  context: { os: { name }, externalId: [{ type: 'appsflyerExternalId', id: 'af' }] },
});
const viewed = (what: string) => (name: string) => `Viewed ${name} ${what}`;

describe('a field of AppsFlyer', () => {
  it.each<[type: string, system: string, ...SourcesRow]>([
    ['track', 'ios', 'customer_user_id', KNOWN_USER_ID, asItIs],
    ['track', 'ios', 'eventTime', ['timestamp'], asItIs],
    ['track', 'ios', 'eventCurrency', ['properties.currency'], asItIs],
    ['track', 'ios', 'ip', IP, asItIs],
    ['track', 'ios', 'os', ['context.os.version'], asItIs],
    ['track', 'ios', 'idfa', ['context.device.advertisingId'], asItIs],
    ['track', 'ios', 'idfv', ['context.device.id'], asItIs],
    ['track', 'ios', 'att', ['context.device.attTrackingStatus'], asItIs],
    ['track', 'android', 'att', ['context.device.attTrackingStatus'], asItIs],
    ['track', 'android', 'advertising_id', ['context.device.advertisingId'], asItIs],
    ['track', 'android', 'app_version_name', ['context.app.version'], asItIs],
    ['track', 'android', 'bundleIdentifier', ['context.app.namespace'], asItIs],
    ['page', 'android', 'eventName', ['name', 'properties.name'], viewed('Page')],
    ['screen', 'android', 'eventName', ['name', 'event', 'properties.name'], viewed('Screen')],
  ])('of a %s on %s, %s, is read from %j', (type, system, ...row) => {
    expectSources(bodyWith(appsflyer, CONFIG, on(type, system)), row);
  });
});
