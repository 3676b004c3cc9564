import { describe, expect, it } from '@jest/globals';
import type { DeliveryBatch, JsonObject } from '@weir/contracts';
import { eventKeyOf, laneOf } from './delivery-unit.js';

const batchOf = (...events: JsonObject[]): DeliveryBatch => ({
  batchId: 'b1',
  workspaceId: 'w1',
  sourceId: 's1',
  destinationId: 'd1',
  receivedAt: '2026-01-01T00:00:00.000Z',
  events,
});

describe('laneOf', () => {
  it.each([
    [{ userId: 'u1', anonymousId: 'a1' }, 'user/s1/u1'],
    [{ userId: ' u1 ' }, 'user/s1/u1'],
    [{ userId: 7 }, 'user/s1/7'],
    [{ userId: '', anonymousId: 'a1' }, 'user/s1/a1'],
    [{ userId: null }, 'event/b1.0'],
  ])('of %j is %s', (event, lane) => {
    expect(laneOf(batchOf(event), 0)).toBe(lane);
  });
});

it('eventKeyOf tells events and outputs of a batch apart', () => {
  const batch = batchOf({}, {});
  expect([eventKeyOf(batch, 0), eventKeyOf(batch, 1), eventKeyOf(batch, 1, 0)]).toEqual(['b1.0', 'b1.1', 'b1.1.0']);
});
