import { describe, expect, it } from '@jest/globals';
import { type Barrier, nextStep, type StreamView } from './barrier.rules.js';

const idle = { ackFloor: 3, isIdle: true };
const busyAt = (ackFloor: number) => ({ ackFloor, isIdle: false });
const stream = (last: number, ...consumers: StreamView['consumers']): StreamView => ({ last, consumers });
const step = (barrier: Partial<Barrier>, raw: StreamView, accepted: StreamView) =>
  nextStep({ rawPosition: null, acceptedPosition: null, drainedForMs: null, ...barrier }, raw, accepted, 12_000);

describe('the barrier before a deletion', () => {
  it('notes the end of the raw stream first, even when nothing waits', () => {
    expect(step({}, stream(70, idle), stream(40, idle))).toEqual({ rawPosition: 70 });
  });

  it.each([
    ['a filter has not come so far', stream(90, idle, busyAt(69)), 'wait'],
    ['every filter is past it', stream(90, busyAt(70), busyAt(88)), { acceptedPosition: 40 }],
    ['the other filters have nothing to do', stream(90, idle, busyAt(70)), { acceptedPosition: 40 }],
    ['the stream was made anew', stream(5, busyAt(2)), { rawPosition: 5 }],
  ])('then, when %s, goes on with %j', (_when, raw, expected) => {
    expect(step({ rawPosition: 70 }, raw, stream(40, idle))).toEqual(expected);
  });

  it.each([
    ['somebody is behind', stream(60, idle, busyAt(39)), 'wait'],
    ['everybody is past it', stream(60, busyAt(40), busyAt(59)), 'drained'],
    ['everybody is idle', stream(60, idle, idle), 'drained'],
    ['the stream was made anew', stream(0, idle), { acceptedPosition: 0 }],
  ])('then, when %s of the accepted stream, goes on with %j', (_when, accepted, expected) => {
    expect(step({ rawPosition: 70, acceptedPosition: 40 }, stream(90, busyAt(1)), accepted)).toEqual(expected);
  });

  it.each([
    [11_999, 'wait'],
    [12_000, 'passed'],
  ])('opens when a send deadline has gone by: after %d ms %s', (drainedForMs, expected) => {
    const barrier = { rawPosition: 70, acceptedPosition: 40, drainedForMs };
    expect(step(barrier, stream(90, busyAt(1)), stream(90, busyAt(1)))).toBe(expected);
  });
});
