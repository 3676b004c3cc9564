import { AppError, type RequestOf, RunCode } from '@weir/contracts';
import { describeIssues } from '@weir/messaging';
import { JsonCursor, OPEN_OBJECT } from '../wire/json-cursor.js';

/** A request to run code, with unparsed events. Each is the JSON of `{message, metadata}`. */
export interface RunRequest extends Omit<RequestOf<typeof RunCode>, 'events'> {
  events: readonly Buffer[];
}

/** Nest's packet of a call, `{data, id}`, as received. */
export interface RunPacket {
  id: unknown;
  /** Throws `invalid` if the request violates the contract. */
  request: () => RunRequest;
}

const Head = RunCode.request.omit({ events: true });

/** Parses everything except the events, and only locates those. Throws `invalid`. */
export function readRunPacket(bytes: Buffer): RunPacket {
  try {
    return readPacket(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('body', `is ${error.message}`);
    throw error;
  }
}

function readPacket(bytes: Buffer): RunPacket {
  const packet: { id: unknown; head?: Record<string, unknown>; events: Buffer[] } = {
    id: undefined,
    events: [],
  };
  const cursor = new JsonCursor(bytes);
  for (const key of cursor.fields()) {
    if (key === 'id') packet.id = cursor.value();
    else if (key === 'data' && cursor.next === OPEN_OBJECT) packet.head = readData(cursor, bytes, packet.events);
    else cursor.skip();
  }
  cursor.end();
  return { id: packet.id, request: () => checked(packet.head, packet.events) };
}

function readData(cursor: JsonCursor, bytes: Buffer, events: Buffer[]): Record<string, unknown> {
  const head: Record<string, unknown> = {};
  for (const key of cursor.fields()) {
    if (key === 'events') for (const index of cursor.elements()) events.push(readEvent(cursor, bytes, index));
    else head[key] = cursor.value();
  }
  return head;
}

function readEvent(cursor: JsonCursor, bytes: Buffer, index: number): Buffer {
  const before = cursor.at;
  if (isAsUsual(cursor)) return bytes.subarray(before, cursor.at);
  cursor.at = before;
  const missing = new Set(['message', 'metadata']);
  const start = cursor.next === OPEN_OBJECT ? cursor.at : refuse(`events.${index}`, 'must be an object');
  for (const key of cursor.fields()) {
    if (missing.delete(key) && cursor.next !== OPEN_OBJECT) refuse(`events.${index}.${key}`, 'must be an object');
    cursor.skip();
  }
  for (const key of missing) refuse(`events.${index}.${key}`, 'must be an object');
  return bytes.subarray(start, cursor.at);
}

/** Recognises `{"message":{…},"metadata":{…}}`, which Weir's own services write. */
function isAsUsual(cursor: JsonCursor): boolean {
  if (!cursor.passed(MESSAGE) || cursor.next !== OPEN_OBJECT) return false;
  cursor.skip();
  if (!cursor.passed(METADATA) || cursor.next !== OPEN_OBJECT) return false;
  cursor.skip();
  return cursor.passed(END);
}

const MESSAGE = Buffer.from('{"message":');
const METADATA = Buffer.from(',"metadata":');
const END = Buffer.from('}');

function checked(head: unknown, events: readonly Buffer[]): RunRequest {
  const parsed = Head.safeParse(head);
  if (!parsed.success) {
    const { message, details } = describeIssues(parsed.error);
    throw new AppError('invalid', message, details);
  }
  if (events.length === 0) refuse('events', 'must have at least one');
  return { ...parsed.data, events };
}

function refuse(field: string, problem: string): never {
  throw new AppError('invalid', `${field}: ${problem}`, { [field]: problem });
}
