import { describe, expect, it } from '@jest/globals';
import { HeldMessages } from './held-messages.js';
import type { StreamMessage } from './stream-message.js';

const message = (sequence: number, { position = 0, isDone = false } = {}): StreamMessage =>
  ({ sequence, position, isDone, data: new Uint8Array(1) }) as StreamMessage;

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

  it('begin with what was chosen, until an earlier message comes', () => {
    const [second, third] = [message(2), message(3)];
    const held = holding(second, third);
    expect(held.beginsWith([second, third])).toBe(true);
    held.add(message(1));
    expect(held.beginsWith([second, third])).toBe(false);
  });
});
