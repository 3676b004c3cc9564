import { describe, expect, it } from '@jest/globals';
import { HeldMessages } from './held-messages.js';
import type { StreamMessage } from './stream-message.js';

const message = (sequence: number, { position = 0, isDone = false, isKept = false } = {}): StreamMessage =>
  ({ subject: 'workspace.source', sequence, position, isDone, isKept, data: new Uint8Array(1) }) as StreamMessage;

function holding(...messages: StreamMessage[]): HeldMessages {
  const held = new HeldMessages();
  for (const one of messages) held.add(one);
  return held;
}

describe('held messages', () => {
  it('count the stream messages that are open, and none that a running call has acknowledged', () => {
    expect(holding(message(1, { isDone: true }), message(3)).countOpenUpTo(3)).toBe(1);
  });

  it('count a stream message as open while one of its batches is', () => {
    const batches = [0, 1].map((position) => message(1, { position, isDone: position === 0 }));
    expect(holding(...batches).countOpenUpTo(1)).toBe(1);
  });

  it('begin with what was chosen, until an earlier message of its source comes', () => {
    const [second, third] = [message(2), message(3)];
    const held = holding(second, third);
    expect(held.beginsWith([second, third])).toBe(true);
    held.add({ ...message(1), subject: 'workspace.other' });
    expect(held.beginsWith([second, third])).toBe(true);
    held.add(message(1));
    expect(held.beginsWith([second, third])).toBe(false);
  });

  it('hand a kept message over once, and count it as open until it is done', () => {
    const kept = message(1, { isKept: true });
    const held = holding(kept, message(2));
    expect(held.removeHandled([kept])).toEqual({ finished: 1, freed: 0 });
    expect(held.next(10).map(({ sequence }) => sequence)).toEqual([2]);
    expect(held.countOpenUpTo(2)).toBe(2);
    expect(held.release(kept)).toBe(1);
    expect(held.countOpenUpTo(2)).toBe(1);
  });

  it('hand a kept message that is redelivered over no more than any other copy of it', () => {
    const kept = message(1, { isKept: true });
    const held = holding(kept);
    held.removeHandled([kept]);
    expect(held.add(message(1))).toBe(0);
    expect(held.isEmpty).toBe(true);
    expect(held.release(kept)).toBe(1);
    expect(held.countOpenUpTo(1)).toBe(0);
  });

  it('keep the copy that arrived during the call', () => {
    const handled = message(1, { isKept: true });
    const held = holding(handled);
    held.add(message(1));
    expect(held.removeHandled([handled])).toEqual({ finished: 1, freed: 0 });
    expect(held.isEmpty).toBe(true);
  });
});
