import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { USER_ID } from '../../toolkit/index.js';
import segment from './segment.js';

const track = { type: 'track', event: 'Paid', userId: 'ada' };

describe('a field of Segment', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [{ type: 'identify' }, 'userId', USER_ID, asItIs],
    [track, 'anonymousId', ['anonymousId'], asItIs],
    [track, 'event', ['event'], asItIs],
    [track, 'timeStamp', ['timestamp', 'originalTimestamp'], asItIs],
    [track, 'traits.plan', ['traits.plan', 'context.traits.plan'], asItIs],
    [track, 'properties.plan', ['properties.plan'], asItIs],
    [{ type: 'group', userId: 'ada' }, 'groupId', ['groupId'], asItIs],
    [{ type: 'alias', userId: 'ada' }, 'previousId', ['previousId'], asItIs],
  ])('of %j, %s, is read from %j', (event, key, ...row) => {
    expectSources(bodyWith(segment, { writeKey: 'k' }, event), [`batch.0.${key}`, ...row]);
  });
});
