import { isUtf8 } from 'node:buffer';
import {
  EVENT_BYTES_MAX,
  EVENT_DEPTH_MAX,
  isJsonObject,
  type JsonObject,
  piecesWithIdsAsWritten,
} from '@weir/contracts';
import { during, Slices } from '@weir/messaging';
import { BodyScan, type ScanRules } from '../http/body-scan.js';
import { type Identity, identityOf } from './enrich.js';
import { type IntakeCall, isBatchCall, isWebhookCall } from './intake.api.js';
import { webhookEvent } from './made-events.js';
import { BATCH_EVENTS_MAX, refusals } from './refusals.js';

/** The batch's own object and array around each event. */
const BATCH_DEPTH = 2;

/** The event object around a webhook's report. */
const WEBHOOK_DEPTH = 1;

/** One event as the client sent it. */
export interface Taken {
  event: JsonObject;
  identity: Identity;
  /** The event's JSON without `sentAt`. A retry has the same content. */
  content: string;
  /** Size of `content`. */
  bytes: number;
}

export interface TakenRequest {
  events: Taken[];
  /** `sentAt` of the whole batch. */
  sentAt?: unknown;
  /** `writeKey` of the whole batch. */
  writeKey?: unknown;
}

/** Bytes to scan before other requests get a turn. */
const SCAN_BYTES = 65_536;

/**
 * Reads the events of a request, all or none. Refuses in the order of wire-facts 6.4. Turns numeric ids that do not fit a double
 * into text as written, anywhere in an event. The Test API does the same. Locates events by scanning bytes and parses them one by
 * one, with turns for other requests in between. One JSON.parse of a 4 MB body can block for hundreds of milliseconds.
 */
export async function parseEvents(call: IntakeCall, body: Buffer): Promise<TakenRequest> {
  if (body.length === 0) throw refusals.noBody();
  if (!isUtf8(body)) throw refusals.invalidJson();
  const slices = new Slices();
  const listDepth = listDepthOf(call, body);
  const scan = await scanned(body, { depthMax: depthMaxOf(call), listDepth }, slices);
  if (listDepth === 0) return { events: await takeAll([await readEvent(call, scan.frame, slices)], slices) };
  const frame = parseJson(scan.frame);
  const items: unknown[] = [];
  for (const item of scan.items) {
    items.push(await readEvent(call, scan.textOf(item), slices));
    if (slices.isOver) await slices.next();
  }
  const { list, sentAt, writeKey } = isBatchCall(call) ? batchIn(frame) : { list: frame };
  const events = numbersIn(list).map((number) => items[number]);
  return { events: await takeAll(events, slices), sentAt, writeKey };
}

/** Depth at which the body's list opens: 2 for a batch in an object, 1 for a webhook's array, 0 if the body is one event. */
function listDepthOf(call: IntakeCall, body: Buffer): number {
  if (isBatchCall(call)) return 2;
  const first = body.find((byte) => byte > BLANK);
  return isWebhookCall(call) && first === OPEN_BRACKET ? 1 : 0;
}
const BLANK = 0x20;
const OPEN_BRACKET = 0x5b;

function depthMaxOf(call: IntakeCall): number {
  if (isBatchCall(call)) return EVENT_DEPTH_MAX + BATCH_DEPTH;
  return isWebhookCall(call) ? EVENT_DEPTH_MAX - WEBHOOK_DEPTH : EVENT_DEPTH_MAX;
}

/** Throws if the body is too deep, has too many events, or has one that is too large. */
async function scanned(body: Buffer, rules: ScanRules, slices: Slices): Promise<BodyScan> {
  const scan = new BodyScan(body, rules);
  while (!scan.isOver) {
    scan.advance(SCAN_BYTES);
    if (scan.items.length > BATCH_EVENTS_MAX) throw refusals.tooManyEvents();
    if (slices.isOver) await slices.next();
  }
  if (scan.isTooDeep) throw refusals.invalidJson();
  if (scan.frameWeight > EVENT_BYTES_MAX || scan.items.some(({ weight }) => weight > EVENT_BYTES_MAX)) {
    throw refusals.eventTooLarge();
  }
  return scan;
}

/** Parses the JSON of one event and applies the path's rules to it. */
async function readEvent(call: IntakeCall, text: string, slices: Slices): Promise<unknown> {
  const event = eventOf(call, parseJson(text));
  const written = await textWithIds(text, slices);
  return written === text ? event : eventOf(call, parseJson(written));
}

function eventOf(call: IntakeCall, sent: unknown): unknown {
  if (!isJsonObject(sent) || isBatchCall(call)) return sent;
  if (isWebhookCall(call)) return webhookEvent(sent);
  sent['type'] = call;
  return sent;
}

async function textWithIds(text: string, slices: Slices): Promise<string> {
  let written = '';
  for (const piece of piecesWithIdsAsWritten(text)) {
    written += piece;
    if (slices.isOver) await slices.next();
  }
  return written;
}

function parseJson(text: string): unknown {
  try {
    return during('intake.parse', () => JSON.parse(text) as unknown);
  } catch {
    throw refusals.invalidJson();
  }
}

const batchIn = (frame: unknown): { list?: unknown; sentAt?: unknown; writeKey?: unknown } => {
  const { batch: list, sentAt, writeKey } = isJsonObject(frame) ? frame : {};
  return { list, sentAt, writeKey };
};

/** The list of a frame, where each item is the index of an event in the body. */
function numbersIn(list: unknown): number[] {
  if (!Array.isArray(list) || list.length === 0) throw refusals.emptyBatch();
  return list as number[];
}

async function takeAll(values: unknown[], slices: Slices): Promise<Taken[]> {
  if (!values.every(isJsonObject)) throw refusals.notAnEvent();
  const events: Taken[] = [];
  for (const event of values) {
    const identity = identify(event);
    const content = contentOf(event);
    events.push({ event, identity, content, bytes: Buffer.byteLength(content) });
    if (slices.isOver) await slices.next();
  }
  if (events.some(({ bytes }) => bytes > EVENT_BYTES_MAX)) throw refusals.eventTooLarge();
  return events;
}

function identify(event: JsonObject): Identity {
  const identity = identityOf(event);
  if (!identity) throw refusals.unidentifiable();
  return identity;
}

function contentOf(event: JsonObject): string {
  const { sentAt } = event;
  if (sentAt === undefined) return JSON.stringify(event);
  event['sentAt'] = undefined;
  const content = JSON.stringify(event);
  event['sentAt'] = sentAt;
  return content;
}
