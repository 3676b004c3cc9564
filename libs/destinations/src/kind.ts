import type { Socket } from 'node:net';
import type { DestinationDefinition, JsonObject } from '@weir/contracts';

/** One request for a destination, in the shape of spec 2.5. Made by {@link restPayload}, which fixes the order of keys. */
export interface Payload {
  version: string;
  type: string;
  method: string;
  /** URL without the params. */
  endpoint: string;
  headers: Record<string, string>;
  /** Query parameters. */
  params: JsonObject;
  /** At most one section is filled. */
  body: { JSON: JsonObject; JSON_ARRAY: JsonObject; XML: JsonObject; FORM: JsonObject };
  files: JsonObject;
  userId?: string;
}

/** What a destination answered: any HTTP status, also a failing one. */
export interface DeliveryResult {
  status: number;
  /** JSON as a value, XML and text as text, anything else as `""` (wire-facts 3.3). */
  response: unknown;
  /** How long the destination asked to wait. */
  retryAfterMs?: number;
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  maxResponseBytes: number;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body went on after `maxResponseBytes`. */
  truncated: boolean;
}

/** A socket for a protocol other than plain HTTP requests. */
export interface OutboundConnection {
  host: string;
  port: number;
  tls?: boolean | { skipVerify?: boolean; ca?: string };
  /** For lookup, connect and TLS. */
  timeoutMs: number;
}

/** The one way out, as `@weir/egress` offers it; handed in, so that a kind opens no connection of its own. */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** The socket is connected, through TLS where asked, and the caller's to end. */
  connect(where: OutboundConnection): Promise<Socket>;
}

export interface DeliveryOptions {
  /** The same for every attempt at the same payload. */
  idempotencyKey?: string;
}

/** How payloads of a kind are gathered: a call is made when one of the bounds is reached. */
export interface DeliveryBatching {
  payloadsMax: number;
  /** Of the payloads as JSON. */
  bytesMax: number;
  /** How long the first payload may wait for others. */
  waitMs: number;
}

export interface SessionItem {
  payload: Payload;
  /** The same for every attempt at the same payload. */
  idempotencyKey: string;
}

/** What a kind keeps open for one destination with one configuration. It connects when it first has to, and again after a loss. */
export interface DeliverySession {
  /**
   * One result for each item, in their order. Items of one call arrive in their order; calls may overlap. Rejects when it is
   * not known that anything arrived: all items are sent again.
   */
  deliver(items: readonly SessionItem[]): Promise<DeliveryResult[]>;
  /** Ends the connections, also while calls are under way: those reject. Never rejects; may be called twice. */
  close(): Promise<void>;
}

/** Users to forget at one destination. */
export interface DeletionRequest {
  /** Of the first user, when they come from several regulations. */
  regulationId: string;
  destinationId: string;
  config: JsonObject;
  /** At most `deletionUsersMax` of the kind. Each with `userId`, some with identifiers of the customer's own. */
  users: JsonObject[];
  /** The same whenever the same users are asked for again, for vendors that tell repeats apart. */
  idempotencyKey?: string;
  /** For kinds whose `delete` takes long; absent: it always begins anew. */
  progress?: DeletionProgress;
}

/** How far an earlier attempt for the same users came, in words of the kind's own. */
export interface DeletionProgress {
  /** What was kept last; undefined at the beginning. */
  readonly reached: string | undefined;
  /** Keeps it (sealed) until the deletion has ended; at most 4,096 characters. Rejects when it could not be kept. */
  keep(reached: string): Promise<void>;
}

/**
 * `forwarded`: the vendor has taken the request and deletes later by itself. `failed` is tried again, after `retryAfterMs`
 * when given; `aborted` is not. `not_supported`: this configuration names no way to delete. A reason, also of a success
 * that left something out, never holds an identifier or a secret.
 */
export type DeletionOutcome =
  | { status: 'complete' | 'not_supported'; reason?: string }
  /** `receipt`: what {@link DestinationKind.deletionStatus} needs to ask for the outcome; at most 1,024 characters, no identifier. */
  | { status: 'forwarded'; reason?: string; receipt?: string }
  | { status: 'failed'; reason: string; retryAfterMs?: number }
  /** `tryAlone`: one of several users may be what was refused, so each is worth a call of its own. */
  | { status: 'aborted'; reason: string; tryAlone?: boolean };

/** A look at what became of a deletion that was `forwarded` with a receipt. */
export interface DeletionStatusRequest {
  config: JsonObject;
  receipt: string;
}

/** What an answer to a batch means for one of its payloads: as if it had been sent alone. */
export interface ItemOutcome {
  status: number;
  response?: unknown;
}

/** How several payloads of one destination become one request, in live delivery; the Test API sends each alone. All pure. */
export interface BatchRule {
  /** Items in one request, as the vendor limits them. */
  readonly itemsMax: number;
  /** Bytes of the combined body. */
  readonly bytesMax: number;
  /** Items that a payload carries; one when absent. */
  sizeOf?(payload: Payload): number;
  /** Payloads with the same key may share a request; undefined: this one travels alone. */
  keyOf(payload: Payload): string | undefined;
  /** One request for payloads of one key, in their order; called for a single one too. */
  combine(payloads: readonly Payload[]): Payload;
  /** What an answer means for each payload, in order, where a vendor takes some and refuses others; undefined: the same for all. */
  outcomes?(result: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined;
}

/** A kind of destination: mostly a definition and a pure function. */
export interface DestinationKind {
  readonly definition: DestinationDefinition;
  /** Pure. Throws `AppError('invalid')` for an event or configuration that it cannot use; `[]` filters the event out. */
  transform(event: JsonObject, config: JsonObject): Payload[];
  /** The event goes out as it is, so it may have ten times as many parts: `transform` makes nothing of what is in it. */
  readonly takesEventsWhole?: true;
  /** Weir only deletes users there: `transform` always refuses. */
  readonly takesNoEvents?: boolean;
  /** How payloads of this configuration share requests; undefined: each is a request of its own. */
  batch?(config: JsonObject): BatchRule | undefined;
  /** How a payload is sent, when {@link sendPayload} is not enough. Rejects when the destination was not reached. */
  deliver?(payload: Payload, config: JsonObject, outbound: Outbound, options: DeliveryOptions): Promise<DeliveryResult>;
  /** In place of `deliver`, for kinds that keep connections or send many payloads with one call. Opens nothing yet; may throw. */
  open?(config: JsonObject, outbound: Outbound): DeliverySession;
  /** For kinds with `open`: without it each payload has a call of its own. */
  readonly batching?: DeliveryBatching;
  /** Users whom one call of `delete` takes, and who share its outcome and receipt; one by default. */
  readonly deletionUsersMax?: number;
  /** Keys of a user that `delete` looks at; all when absent. */
  readonly deletionIdentifiers?: readonly string[];
  /**
   * Deletes users (area B), idempotently; without it the kind does not support deletion. May throw `AppError`: `invalid` for a
   * configuration that it cannot use (tried again once that is changed), `unsupported` for a user whom it can never delete.
   */
  delete?(request: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome>;
  /**
   * Asks the vendor what became of a forwarded deletion. `forwarded` again: not yet; `complete`: deleted; `aborted`: the vendor
   * gave it up; `failed`: the question was not answered and is asked again.
   */
  deletionStatus?(request: DeletionStatusRequest, outbound: Outbound): Promise<DeletionOutcome>;
}
