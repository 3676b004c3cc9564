import type { JsMsg } from '@nats-io/jetstream';
import { type StreamMessage, streamMessage } from './stream-message.js';

/** A message of a stream holds one batch a line: JSON has no line breaks of its own. */
const LINE_BREAK = '\n';
const LINE_BREAK_BYTE = 0x0a;

export const joinParts = (parts: readonly string[]): string => parts.join(LINE_BREAK);

/** The batches of a message, each with its own acknowledgement: the broker gets one when all of them have theirs. */
export function streamMessages(message: JsMsg): StreamMessage[] {
  const parts = splitParts(message.data);
  if (parts.length === 1) return [streamMessage(message)];
  let left = parts.length;
  const finish = () => {
    left -= 1;
    if (left === 0) message.ack();
  };
  return parts.map((data, part) => partMessage(message, { data, part, finish }));
}

export function splitParts(data: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let to = data.indexOf(LINE_BREAK_BYTE); to !== -1; to = data.indexOf(LINE_BREAK_BYTE, from)) {
    parts.push(data.subarray(from, to));
    from = to + 1;
  }
  return [...parts, data.subarray(from)];
}

function partMessage(message: JsMsg, own: { data: Uint8Array; part: number; finish: () => void }): StreamMessage {
  const { data, part, finish } = own;
  const text = () => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
  let isDone = false;
  const end = () => {
    if (!isDone) finish();
    isDone = true;
  };
  return {
    ...streamMessage(message),
    part,
    data,
    text,
    json: () => JSON.parse(text()) as unknown,
    ack: end,
    // Beside the others it cannot be given back; it is finished, and whoever terminates keeps what it needs of it.
    term: end,
    get isDone() {
      return isDone;
    },
  };
}
