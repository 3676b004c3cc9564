import { describe, expect, it } from '@jest/globals';
import { partOf } from '../../test/parts.js';
import { eventKeyOf, laneOf } from './delivery-unit.js';

describe('laneOf', () => {
  it.each([
    [{ userId: 'u1', anonymousId: 'a1' }, 'user/s1/u1'],
    [{ userId: ' u1 ' }, 'user/s1/u1'],
    [{ userId: 7 }, 'user/s1/7'],
    [{ userId: '', anonymousId: 'a1' }, 'user/s1/a1'],
    [{ userId: null }, 'event/b1.0'],
  ])('of %j is %s', (event, lane) => {
    expect(laneOf(partOf([event]), 0)).toBe(lane);
  });
});

describe('eventKeyOf', () => {
  it('tells events and outputs of a batch apart', () => {
    const part = partOf([{}, {}]);
    expect([eventKeyOf(part, 0), eventKeyOf(part, 1), eventKeyOf(part, 1, 0)]).toEqual(['b1.0', 'b1.1', 'b1.1.0']);
  });

  it('is for a replay what it was before', () => {
    const replayed = partOf([{}], { batchId: 'replay.7', replay: { eventKey: 'b1.1', output: 2 } });
    expect([eventKeyOf(replayed, 0), eventKeyOf(replayed, 0, 2)]).toEqual(['b1.1', 'b1.1.2']);
  });
});
