import { isUtf8 } from 'node:buffer';
import { EVENT_BYTES_MAX, EVENT_DEPTH_MAX, isJsonObject, type JsonObject } from '@weir/contracts';
import { type IntakeCall, isBatchCall, isWebhookCall } from './calls.js';
import { type Identity, identityOf } from './identity.js';
import { isDeeperThan } from './json-depth.js';
import { refusals } from './refusals.js';
import { webhookEvent } from './webhook.js';

/** Events of one batch. Each grows by what the intake adds, so bytes alone would not bound the work. */
export const BATCH_EVENTS_MAX = 10_000;
/** The batch's own object and array around an event. */
const BATCH_DEPTH = 2;

/** The event's own object around what a webhook reports. */
const WEBHOOK_DEPTH = 1;

/** One event as the client sent it. */
export interface Taken {
  event: JsonObject;
  identity: Identity;
  /** Its JSON without `sentAt`: what makes a retry the same event. */
  content: string;
}

export interface TakenRequest {
  events: Taken[];
  /** `sentAt` of the whole batch. */
  sentAt?: unknown;
}

/** Reads the events of a request, all or none; refuses in the order of wire-facts 6.4. */
export function parseEvents(call: IntakeCall, body: Buffer): TakenRequest {
  if (isBatchCall(call)) return readBatch(parseJson(body, EVENT_DEPTH_MAX + BATCH_DEPTH));
  if (isWebhookCall(call)) return readWebhook(parseJson(body, EVENT_DEPTH_MAX - WEBHOOK_DEPTH));
  const event = parseJson(body, EVENT_DEPTH_MAX);
  if (isJsonObject(event)) event['type'] = call;
  return { events: takeAll([event]) };
}

function parseJson(body: Buffer, depthMax: number): unknown {
  if (body.length === 0) throw refusals.noBody();
  if (!isUtf8(body) || isDeeperThan(body, depthMax)) throw refusals.invalidJson();
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw refusals.invalidJson();
  }
}

function readBatch(body: unknown): TakenRequest {
  const { batch, sentAt } = isJsonObject(body) ? body : {};
  return { events: takeAll(bounded(batch)), sentAt };
}

/** One report or a list of them. */
function readWebhook(body: unknown): TakenRequest {
  const reports = Array.isArray(body) ? bounded(body) : [body];
  return { events: takeAll(reports.map((report) => (isJsonObject(report) ? webhookEvent(report) : report))) };
}

function bounded(events: unknown): unknown[] {
  if (!Array.isArray(events) || events.length === 0) throw refusals.emptyBatch();
  if (events.length > BATCH_EVENTS_MAX) throw refusals.tooLarge();
  return events;
}

function takeAll(values: unknown[]): Taken[] {
  if (!values.every(isJsonObject)) throw refusals.notAnEvent();
  const events = values.map((event) => ({ event, identity: identify(event), content: contentOf(event) }));
  if (events.some(({ content }) => Buffer.byteLength(content) > EVENT_BYTES_MAX)) throw refusals.tooLarge();
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
