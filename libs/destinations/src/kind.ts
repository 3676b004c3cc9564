import type { Socket } from 'node:net';
import type { DestinationDefinition, JsonObject } from '@weir/contracts';

/** One request for a destination, in the form of spec 2.5. {@link restPayload} creates it and fixes the order of keys. */
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

/** The response of a destination with any HTTP status, including failures. */
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
  /** Limit for the URL in characters, where it is not the usual one. Only for constant hosts and paths. */
  urlLengthMax?: number;
  headers: Record<string, string>;
  /**
   * IP address of the device behind the request, sent as `x-forwarded-for`. A kind sets it for a host that it names itself, because
   * the headers themselves cannot have it.
   */
  forwardedFor?: string;
  body?: string;
  timeoutMs: number;
  maxResponseBytes: number;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body was longer than `maxResponseBytes`. */
  truncated: boolean;
}

/** The target of a socket for a protocol other than plain HTTP requests. */
export interface OutboundConnection {
  host: string;
  port: number;
  tls?: boolean | { skipVerify?: boolean; ca?: string };
  /** For lookup, connect and TLS together. */
  timeoutMs: number;
}

/** The outbound client, implemented by `@weir/egress`. It is passed in, so that a kind opens no connections itself. */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Resolves with a connected socket, with TLS if requested. The caller closes it. */
  connect(where: OutboundConnection): Promise<Socket>;
}

export interface DeliveryOptions {
  /** Equal for every attempt at the same payload. */
  idempotencyKey?: string;
  /**
   * Time of `performance.now()` by which everything has ended, in milliseconds. No request begins later. A deletion waits for sends
   * under way, and counts on this limit.
   */
  deadline?: number;
}

/** How payloads of a kind are grouped. A call starts when one of the limits is reached. */
export interface DeliveryBatching {
  payloadsMax: number;
  /** Size of the payloads as JSON. */
  bytesMax: number;
  /** How long the first payload may wait for others. */
  waitMs: number;
}

export interface SessionItem {
  payload: Payload;
  /** Equal for every attempt at the same payload. */
  idempotencyKey: string;
}

/** Connections of a kind for one destination with one configuration. Connects on first use, and again after a loss. */
export interface DeliverySession {
  /**
   * Returns one result per item, in order. Items of one call arrive in order, but calls may overlap. No two of them are of one
   * event, which sends a payload only after the one before has arrived. Rejects if it is unknown whether anything arrived. Then
   * all items are sent again. The caller closes a session that is not done at the deadline.
   */
  deliver(items: readonly SessionItem[], options?: Pick<DeliveryOptions, 'deadline'>): Promise<DeliveryResult[]>;
  /** Closes the connections. Calls in progress reject. Never rejects, and may be called twice. */
  close(): Promise<void>;
}

/** Users to delete at one destination. */
export interface DeletionRequest {
  /** The regulation of the first user, if they come from several. */
  regulationId: string;
  destinationId: string;
  config: JsonObject;
  /** At most `usersMax` of the kind. Each has a `userId`, and some have custom identifiers of the customer. */
  users: JsonObject[];
  /** Equal whenever the same users are deleted again, for vendors that detect repeats. */
  idempotencyKey?: string;
  /** For kinds whose `delete` takes long. Absent means that it always starts over. */
  progress?: DeletionProgress;
  /** Aborts when other deletions wait. Kinds that save progress then save it and give way. Absent: nobody waits. */
  turn?: AbortSignal;
}

/** The progress of an earlier attempt for the same users, in a format of the kind. */
export interface DeletionProgress {
  /** The last saved progress. Undefined at the beginning. */
  readonly reached: string | undefined;
  /** Saves the progress (sealed) until the deletion has ended. At most 4,096 characters. Rejects if it cannot be saved. */
  keep(reached: string): Promise<void>;
}

/**
 * Result of a deletion:
 * - `forwarded`: the vendor accepted the request and deletes later
 * - `failed`: retried, after `retryAfterMs` if given
 * - `aborted`: not retried
 * - `not_supported`: this configuration names no way to delete
 *
 * A reason never holds an identifier or a secret. A success may have one if it left something out.
 */
export type DeletionOutcome =
  | { status: 'complete' | 'not_supported'; reason?: string }
  /** `jobReference`: input for {@link KindDeletion.status}. At most 1,024 characters, no identifier. */
  | { status: 'forwarded'; reason?: string; jobReference?: string }
  | { status: 'failed'; reason: string; retryAfterMs?: number }
  /** `tryAlone`: the refusal may concern only one of several users, so each is worth a separate call. */
  | { status: 'aborted'; reason: string; tryAlone?: boolean };

/** A request for the outcome of a deletion that was `forwarded` with a job reference. */
export interface DeletionStatusRequest {
  config: JsonObject;
  jobReference: string;
}

/** The outcome of one payload of a batch, as if it had been sent alone. */
export interface ItemOutcome {
  status: number;
  response?: unknown;
}

/** How live delivery combines payloads of one destination into one request. The Test API sends each alone. All pure. */
export interface BatchRule {
  /** Maximum items per request, as the vendor limits them. */
  readonly itemsMax: number;
  /** Maximum bytes of the combined body. */
  readonly bytesMax: number;
  /** Number of items in a payload. Default: one. */
  sizeOf?(payload: Payload): number;
  /** Payloads with the same key may share a request. Undefined means that the payload is sent alone. */
  keyOf(payload: Payload): string | undefined;
  /** Combines payloads of one key into one request, in order. Also called for a single payload. */
  combine(payloads: readonly Payload[]): Payload;
  /** The outcome of each payload, in order, for vendors that accept some and refuse others. Undefined means the same for all. */
  outcomes?(result: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined;
  /** Whether a failure concerns some payloads only, which the response does not name. They are then sent one by one. */
  isOfSome?(result: DeliveryResult): boolean;
}

/** How a kind deletes users (area B). */
export interface KindDeletion {
  /** Users per call of `delete`. They share its outcome and job reference. Default: one. */
  readonly usersMax?: number;
  /** Keys of a user that `delete` reads. Absent means all. */
  readonly identifiers?: readonly string[];
  /** Configuration properties without which nobody can be deleted. Said when a deletion is requested. */
  readonly requires?: readonly string[];
  /**
   * Deletes users, idempotently. Undefined means that it gave way and goes on in the next turn. May throw `AppError`:
   * - `invalid` for a configuration that it cannot use, retried once that changes
   * - `unsupported` for a user whom it can never delete
   */
  delete(request: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome | undefined>;
  /**
   * Asks the vendor about a forwarded deletion. Returns:
   * - `forwarded`: not done yet
   * - `complete`: deleted
   * - `aborted`: the vendor gave up
   * - `failed`: no answer, so Weir asks again
   */
  status?(request: DeletionStatusRequest, outbound: Outbound): Promise<DeletionOutcome>;
}

/**
 * JSON Schemas of bodies by method and path, such as `POST /v1/users/{id}`, as the vendor documents them. A word in braces stands
 * for any segment of the path, and `*` for any path. A form counts as an object of texts, or of lists of what JSON texts hold. A
 * request without a body counts as its parameters.
 */
export type RequestSchemas = Readonly<Record<string, JsonObject>>;

/** A kind of destination, made by {@link defineKind}. Most kinds are a definition and a pure function. */
export interface DestinationKind {
  readonly definition: DestinationDefinition;
  /** A configuration without secrets, with which the kind accepts usual events. */
  readonly example: JsonObject;
  /** Pure. Throws `AppError('invalid')` for an event or configuration that it cannot use. `[]` filters the event out. */
  transform(event: JsonObject, config: JsonObject): Payload[];
  /** The vendor's requirements for each request. Tests hold every payload and every batch against it. */
  readonly requests?: RequestSchemas;
  /** The transform passes the event on unchanged and does not process its content, so ten times as many parts are allowed. */
  readonly takesEventsWhole?: true;
  /** Weir only deletes users there. `transform` always refuses. */
  readonly takesNoEvents?: boolean;
  /** How payloads of this configuration share requests. Undefined means one request per payload. */
  batch?(config: JsonObject): BatchRule | undefined;
  /** Headers that `deliver` makes anew for each request, such as a signature. Nothing shows their values. */
  readonly signatureHeaders?: readonly string[];
  /** Sends a payload if {@link sendPayload} is not enough. Rejects when the destination was not reached. */
  deliver?(payload: Payload, config: JsonObject, outbound: Outbound, options: DeliveryOptions): Promise<DeliveryResult>;
  /**
   * Replaces `deliver` for kinds that keep connections or send many payloads with one call. Opens no connection yet. May throw.
   */
  open?(config: JsonObject, outbound: Outbound): DeliverySession;
  /** For kinds with `open`. Without it, each payload has a separate call. */
  readonly batching?: DeliveryBatching;
  /** How users are deleted there. Kinds without it do not support deletion. */
  readonly deletion?: KindDeletion;
}
