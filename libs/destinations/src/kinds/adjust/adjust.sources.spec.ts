import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { IP } from '../../toolkit/index.js';
import adjust from './adjust.js';

const CONFIG = { appToken: 'a', customMappings: [{ from: 'Paid', to: 't' }] };
const paramsWith = (type: string) => (values: JsonObject) => {
  const event = { type: 'track', event: 'Paid', context: { device: { type, id: 'd' } } };
  return adjust.transform(withValues(event, values), CONFIG)[0]?.params ?? {};
};

describe('a parameter of Adjust', () => {
  it.each<[type: string, ...SourcesRow]>([
    ['ios', 'ip_address', IP, asItIs],
    ['ios', 'att_status', ['context.device.attTrackingStatus'], asItIs],
    ['ios', 'tracking_enabled', ['context.device.adTrackingEnabled'], asItIs],
    ['tvos', 'idfa', ['context.device.advertisingId'], asItIs],
    ['tvos', 'idfv', ['context.device.id'], asItIs],
    ['android', 'gps_adid', ['context.device.advertisingId'], asItIs],
    ['android', 'android_id', ['context.device.id'], asItIs],
  ])('of %s, %s, is read from %j', (type, ...row) => {
    expectSources(paramsWith(type), row);
  });
});
