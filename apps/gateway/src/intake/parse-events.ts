import { isUtf8 } from 'node:buffer';
import {
  EVENT_BYTES_MAX,
  EVENT_DEPTH_MAX,
  hasInexactId,
  isJsonObject,
  type JsonObject,
  withIdsAsWritten,
} from '@weir/contracts';
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

/** What a request holds, before it is looked at. */
interface Sent {
  events: unknown[];
  sentAt?: unknown;
}

/**
 * Reads the events of a request, all or none; refuses in the order of wire-facts 6.4. Ids that a number cannot keep are
 * texts, as they are written; that is looked for only where a number is one that may have been rounded.
 */
export function parseEvents(call: IntakeCall, body: Buffer): TakenRequest {
  const text = textOf(call, body);
  const sent = sentIn(call, parseJson(text));
  const isExact = !sent.events.some((event) => isJsonObject(event) && hasInexactId(event));
  const { events, ...rest } = isExact ? sent : sentIn(call, parseJson(withIdsAsWritten(text)));
  return { events: takeAll(events), ...rest };
}

function textOf(call: IntakeCall, body: Buffer): string {
  if (body.length === 0) throw refusals.noBody();
  if (!isUtf8(body) || isDeeperThan(body, depthMaxOf(call))) throw refusals.invalidJson();
  return body.toString('utf8');
}

function depthMaxOf(call: IntakeCall): number {
  if (isBatchCall(call)) return EVENT_DEPTH_MAX + BATCH_DEPTH;
  return isWebhookCall(call) ? EVENT_DEPTH_MAX - WEBHOOK_DEPTH : EVENT_DEPTH_MAX;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusals.invalidJson();
  }
}

function sentIn(call: IntakeCall, body: unknown): Sent {
  if (isBatchCall(call)) return batchIn(body);
  if (isWebhookCall(call)) return reportsIn(body);
  if (isJsonObject(body)) body['type'] = call;
  return { events: [body] };
}

function batchIn(body: unknown): Sent {
  const { batch, sentAt } = isJsonObject(body) ? body : {};
  return { events: bounded(batch), sentAt };
}

/** One report or a list of them. */
function reportsIn(body: unknown): Sent {
  const reports = Array.isArray(body) ? bounded(body) : [body];
  return { events: reports.map((report) => (isJsonObject(report) ? webhookEvent(report) : report)) };
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
