import { AppError, type RequestOf, RunCode } from '@weir/contracts';
import { describeIssues } from '@weir/messaging';
import type { z } from 'zod';
import { JsonCursor, OPEN_OBJECT } from '../wire/json-cursor.js';
import type { Bundle } from '../wire/protocol.js';
import { KnownBundles } from './known-bundles.js';

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
/** For a bundle that was checked before. */
const HeadOfKnown = Head.omit({ bundle: true });

/** Parses everything except the events, and only locates those. `known` saves work on code that came before. Throws `invalid`. */
export function readRunPacket(bytes: Buffer, known = new KnownBundles()): RunPacket {
  try {
    return readPacket(bytes, known);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('body', `is ${error.message}`);
    throw error;
  }
}

interface Data {
  head?: Record<string, unknown>;
  events: Buffer[];
  /** The JSON of the bundle, and what it says if it is known. */
  code?: { json: Buffer; bundle?: Bundle } | undefined;
}

function readPacket(bytes: Buffer, known: KnownBundles): RunPacket {
  const packet: Data & { id: unknown } = { id: undefined, events: [] };
  const cursor = new JsonCursor(bytes);
  for (const key of cursor.fields()) {
    if (key === 'id') packet.id = cursor.value();
    else if (key === 'data' && cursor.next === OPEN_OBJECT) readData(cursor, bytes, packet, known);
    else cursor.skip();
  }
  cursor.end();
  return { id: packet.id, request: () => checked(packet, known) };
}

function readData(cursor: JsonCursor, bytes: Buffer, data: Data, known: KnownBundles): void {
  const head: Record<string, unknown> = {};
  data.code = undefined;
  for (const key of cursor.fields()) {
    if (key === 'bundle') data.code = undefined;
    if (key === 'events') for (const index of cursor.elements()) data.events.push(readEvent(cursor, bytes, index));
    else if (key === 'bundle' && cursor.next === OPEN_OBJECT) data.code = readBundle(cursor, bytes, known);
    else head[key] = cursor.value();
  }
  data.head = head;
}

function readBundle(cursor: JsonCursor, bytes: Buffer, known: KnownBundles): Data['code'] {
  const start = cursor.at;
  const found = known.at(bytes, start);
  if (found) cursor.at += found.json.length;
  else cursor.skip();
  return found ?? { json: bytes.subarray(start, cursor.at) };
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

function checked({ head, events, code }: Data, known: KnownBundles): RunRequest {
  if (code?.bundle) {
    const more = parsed(HeadOfKnown, head);
    return { ...more, bundle: code.bundle, events: atLeastOne(events) };
  }
  const request = parsed(Head, code ? { ...head, bundle: JSON.parse(code.json.toString()) } : head);
  if (code) known.keep(code.json, request.bundle);
  return { ...request, events: atLeastOne(events) };
}

function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const { message, details } = describeIssues(result.error);
  throw new AppError('invalid', message, details);
}

function atLeastOne(events: readonly Buffer[]): readonly Buffer[] {
  return events.length > 0 ? events : refuse('events', 'must have at least one');
}

function refuse(field: string, problem: string): never {
  throw new AppError('invalid', `${field}: ${problem}`, { [field]: problem });
}
