/** The sender of a request of the attacker's workspace. */
export type As =
  | 'writer'
  | 'reader'
  | 'source'
  | 'operator'
  | 'nobody'
  | { token: string }
  | { user: string; password: string };

/**
 * One request. Paths may contain `:webhook`, `:slack`, `:discord`, `:customerio` and `:hubspot` for destination ids, and
 * `:writeKey`.
 */
export interface Shot {
  as: As;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Objects are sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends the body in this many pieces, this far apart, and gives up after the last. */
  slowly?: { pieces: number; gapMs: number };
}

/** An attack of one workspace on its neighbours. */
export interface Attack {
  name: string;
  /** Builds the requests, which are all sent at once. They may be large, so they are built only when needed. */
  shots: () => Shot[];
}

export const KIB = 1_024;
/** A little below the maximum size of an event. */
export const EVENT_BYTES = 512 * KIB - 2_000;

export const track = (properties: unknown, more: object = {}) => ({
  ...{ type: 'track', userId: 'mallory', event: 'attack', properties },
  ...more,
});

/** An event that is accepted and passes the whole pipeline, including the attacker's destinations. */
export const sent = (event: object, times = 1): Shot[] =>
  Array.from({ length: times }, () => ({ as: 'source', method: 'POST', path: '/v1/batch', body: { batch: [event] } }));

/** A raw body for the intake. */
export const raw = (body: string | Uint8Array, headers = {}, path = '/v1/batch'): Shot[] => [
  { as: 'source', method: 'POST', path, body, headers },
];

/** A test of an event at a destination. */
export const tested = (kind: string, message: unknown, more: object = {}, query = ''): Shot[] => [
  {
    ...{ as: 'reader', method: 'POST', path: `/v0/testDestination/:${kind}${query}` },
    body: { message, stage: { user_transform: kind === 'webhook', dest_transform: true }, ...more },
  },
];

export const EXPECTING = '?details=true';

/** A JSON list of equal items that fills the given bytes, without white space. */
export const listOf = (item: string, bytes: number): string =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join()}]`;
export const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
