import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RECEIVED_BYTES_MAX, receivedBudget } from './received-budget.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function budget() {
  const socket = { bytesWritten: 0 };
  const check = receivedBudget(socket as Socket);
  return { socket, receive: (bytes: number) => check(Buffer.alloc(bytes))?.message };
}
const CALL_MS = 10_001;
const over = `the server sent more than ${RECEIVED_BYTES_MAX} bytes`;

describe('what a server may send', () => {
  it('has a limit', () => {
    const { receive } = budget();
    jest.advanceTimersByTime(CALL_MS);
    expect([receive(RECEIVED_BYTES_MAX), receive(1)]).toEqual([undefined, over]);
  });

  it('grows by what it is sent, and once more by what it was sent just before', () => {
    const { socket, receive } = budget();
    for (const expected of [undefined, undefined, over]) {
      jest.advanceTimersByTime(CALL_MS);
      expect(receive(1)).toBeUndefined();
      if (expected === undefined && socket.bytesWritten === 0) socket.bytesWritten = 1_000;
      expect(receive(RECEIVED_BYTES_MAX + 999)).toBe(expected);
    }
  });

  it('begins anew after the time of a call', () => {
    const { receive } = budget();
    for (let call = 0; call < 3; call += 1) {
      jest.advanceTimersByTime(CALL_MS);
      expect(receive(RECEIVED_BYTES_MAX)).toBeUndefined();
    }
  });
});
