import type { Socket } from 'node:net';
import { DELIVERY_TIMEOUT_MS } from '@weir/contracts';
import type { Check } from './shielded.js';

/**
 * How much more a server may send than it is sent, in the time of a call. Libraries keep an unfinished answer in memory until its
 * call fails. Answers are smaller than what they answer, except the largest one: Kafka describes each partition of a topic in about
 * 50 bytes.
 */
export const RECEIVED_BYTES_MAX = 1_048_576;

/** Ends a connection whose server sends more than {@link RECEIVED_BYTES_MAX}. What was sent just before still counts. */
export function receivedBudget(socket: Socket): Check {
  let [begin, received, sentBefore, sentAtBegin] = [0, 0, 0, 0];
  return ({ length }) => {
    const now = performance.now();
    if (now - begin > DELIVERY_TIMEOUT_MS) {
      [begin, received, sentBefore, sentAtBegin] = [now, 0, sentAtBegin, socket.bytesWritten];
    }
    received += length;
    const isOver = received > RECEIVED_BYTES_MAX + socket.bytesWritten - sentBefore;
    return isOver ? new Error(`the server sent more than ${RECEIVED_BYTES_MAX} bytes`) : undefined;
  };
}
