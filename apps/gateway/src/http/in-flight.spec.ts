import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Hold, InFlightBytes } from './in-flight.js';

const MAX = 1_000;
const noRoom = () => new Error('no room');
const room = () => new InFlightBytes(MAX, noRoom);

/** Adds bytes in steps until refused, and returns the total. */
function fill(hold: Hold, step = 1): number {
  for (let bytes = 0; ; bytes += step) {
    try {
      hold.add(step);
    } catch {
      return bytes;
    }
  }
}

describe('InFlightBytes', () => {
  it('gives a source a third of everything while it is alone, however many requests it makes', () => {
    const bound = room();
    const owner = { workspaceId: 'w', sourceId: 's' };
    const filled = Array.from({ length: 9 }, () => fill(bound.open(owner)));
    expect(filled).toEqual([333, ...Array(8).fill(0)]);
    expect(fill(bound.open({ workspaceId: 'other', sourceId: 'of it' }))).toBe(222);
  });

  it('gives one holder no more than its own limit, however much is free', () => {
    const bound = new InFlightBytes(MAX, noRoom, 50);
    expect(Array.from({ length: 3 }, (_, n) => fill(bound.open({ workspaceId: `w${n % 2}` })))).toEqual([50, 50, 0]);
  });

  it('gives a workspace half, however many sources it makes', () => {
    const bound = room();
    for (let n = 0; n < 100; n += 1) fill(bound.open({ workspaceId: 'w', sourceId: `s${n}` }));
    expect(bound.bytes).toBe(500);
    expect(fill(bound.open({ workspaceId: 'other', sourceId: 'of it' }))).toBe(167);
  });

  it('lets whoever comes next have something, however many are greedy', () => {
    const bound = new InFlightBytes(32_000_000, noRoom);
    for (let n = 0; n < 10; n += 1) fill(bound.open({ workspaceId: `w${n}`, sourceId: `of w${n}` }), 1_000);
    expect(fill(bound.open({ workspaceId: 'next', sourceId: 'of next' }), 1_000)).toBeGreaterThan(180_000);
  });

  it('has room again after drop and release, and a second release changes nothing', () => {
    const bound = room();
    const hold = bound.open({ workspaceId: 'w' });
    hold.add(500);
    hold.drop(100);
    expect(bound.bytes).toBe(400);
    hold.release();
    hold.release();
    expect([bound.bytes, fill(bound.open({ workspaceId: 'w' }))]).toEqual([0, 500]);
  });

  it('never holds more than there is, and forgets nothing', () => {
    const step = fc.record({ owner: fc.nat(3), source: fc.nat(3), bytes: fc.nat(400), isOver: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const bound = room();
        const holds: Hold[] = [];
        for (const { owner, source, bytes, isOver } of steps) {
          const hold = bound.open({ workspaceId: `w${owner}`, sourceId: `w${owner} s${source}` });
          holds.push(hold);
          try {
            hold.add(bytes);
          } catch {
            // expected when there is no room
          }
          if (isOver) holds.shift()?.release();
          expect(bound.bytes).toBeLessThanOrEqual(MAX);
        }
        for (const hold of holds) hold.release();
        expect([bound.bytes, fill(bound.open({ workspaceId: 'w0', sourceId: 'w0 s0' }))]).toEqual([0, 333]);
      }),
    );
  });
});
