/** Who sends a request of the attacker's workspace. */
export type As =
  | 'writer'
  | 'reader'
  | 'source'
  | 'operator'
  | 'nobody'
  | { token: string }
  | { user: string; password: string };

/** One request. Paths may hold `:webhook`, `:slack`, `:discord`, `:customerio`, `:hubspot` for ids of destinations, and `:writeKey`. */
export interface Shot {
  as: As;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Objects are sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends the body in so many pieces, this far apart, and gives up after the last. */
  slowly?: { pieces: number; gapMs: number };
}

/** Something that one workspace does to its neighbours, by its name. */
export interface Attack {
  name: string;
  /** What is sent, all of it at once; made when it is its turn, as it may be large. */
  shots: () => Shot[];
}

export const KIB = 1_024;
/** A little below what one event may have. */
export const EVENT_BYTES = 512 * KIB - 2_000;

export const track = (properties: unknown, more: object = {}) => ({
  ...{ type: 'track', userId: 'mallory', event: 'attack', properties },
  ...more,
});

/** An event that is taken in and goes the whole way, also to the destinations of the attacker. */
export const sent = (event: object, times = 1): Shot[] =>
  Array.from({ length: times }, () => ({ as: 'source', method: 'POST', path: '/v1/batch', body: { batch: [event] } }));

/** A body for the intake as it is. */
export const raw = (body: string | Uint8Array, headers = {}, path = '/v1/batch'): Shot[] => [
  { as: 'source', method: 'POST', path, body, headers },
];

/** An event through the stages of a destination, and what is expected of it. */
export const tested = (kind: string, message: unknown, more: object = {}, query = ''): Shot[] => [
  {
    ...{ as: 'reader', method: 'POST', path: `/v0/testDestination/:${kind}${query}` },
    body: { message, stage: { user_transform: kind === 'webhook', dest_transform: true }, ...more },
  },
];

export const EXPECTING = '?details=true';

/** JSON of so many equal items, which has no white space to spare. */
export const listOf = (item: string, bytes: number): string =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join()}]`;
export const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
