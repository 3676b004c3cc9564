import pg from 'pg';

const DAYS = 7;
/** Rows of one statement, so that a long run tells that it goes on. */
const CHUNK_EVENTS = 500_000;
/** Events of one user, who sends far more than the others. */
const BUSY_USER_EVERY = 1_000;
export const EVENTS_PER_USER = 10;

const ACCEPTED = {
  step: 'accepted',
  receivedAt: '2026-01-01T00:00:00.000Z',
  routes: [{ destinationId: '#destination' }],
  bytes: 412,
  messageId: 'message-#n',
  eventType: 'track',
  eventName: 'Bought',
};
const EVENT = {
  messageId: 'message-#n',
  userId: 'user-#u',
  anonymousId: 'visitor-#u',
  event: 'Bought',
  properties: { price: 12.5, currency: 'EUR' },
  context: { traits: { email: 'someone@example.com' }, ip: '127.0.0.1' },
  type: 'track',
  receivedAt: '2026-01-01T00:00:00.000Z',
  originalTimestamp: '2026-01-01T00:00:00.000Z',
  sentAt: '2026-01-01T00:00:00.000Z',
  timestamp: '2026-01-01T00:00:00.000Z',
};
const DELIVERED = {
  at: '2026-01-01T00:00:00.000Z',
  step: 'delivered',
  payloads: [
    {
      ...{ version: '1', type: 'REST', method: 'POST', endpoint: 'https://hooks.example.com/events' },
      ...{ headers: { 'content-type': 'application/json' }, params: {}, files: {}, userId: 'visitor-#u' },
      body: { JSON: EVENT, JSON_ARRAY: {}, XML: {}, FORM: {} },
    },
  ],
  ...{ milliseconds: 139, responseStatus: 200, attempt: 1, code: { result: 'none' }, output: 0 },
  eventKey: `${'0'.repeat(64)}.0`,
};

const keyOf = (identifier: string) =>
  `('x' || encode(substr(sha256((${identifier})::bytea), 1, 8), 'hex'))::bit(64)::bigint`;
/** An acceptance and a delivery, as a deliverer writes them. Users are spread over all days. */
const FILL_SQL = `
  SELECT $1::date, 2 * n + row, $2, $3, CASE WHEN row = 1 THEN $4 END, substr(sha256(('message-' || n)::bytea), 1, 16),
    CASE WHEN row = 0 THEN user_key END, ARRAY[user_key, visitor_key], 1,
    replace(replace(CASE WHEN row = 0 THEN $5 ELSE $6 END, '#n', n::text), '#u', u::text)::json
  FROM generate_series($7::bigint, $8::bigint) AS n
  CROSS JOIN LATERAL (SELECT CASE WHEN n % ${BUSY_USER_EVERY} = 0 THEN 0 ELSE n * 7919 % $9::bigint END AS u) AS chosen
  CROSS JOIN LATERAL (SELECT ${keyOf(`'userId=user-' || u`)} AS user_key, ${keyOf(`'anonymousId=visitor-' || u`)} AS visitor_key) AS keys
  CROSS JOIN generate_series(0, 1) AS row`;

export interface TraceIds {
  workspaceId: string;
  sourceId: string;
  destinationId: string;
}

/** Adds the traces of `message-0`, `message-1` and so on, in the seven days before today. Indexes are made when a day is full. */
export async function addTraces(databaseUrl: string, events: number, ids: TraceIds): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`SET search_path = delivery; SET maintenance_work_mem = '512MB'; SET statement_timeout = 0`);
    const perDay = Math.ceil(events / DAYS);
    for (let back = DAYS; back > 0; back -= 1) {
      const first = (DAYS - back) * perDay;
      await addDay(client, back, { first, last: Math.min(events, first + perDay) - 1, events, ids });
    }
  } finally {
    await client.end();
  }
}

interface Part {
  first: number;
  last: number;
  events: number;
  ids: TraceIds;
}

async function addDay(client: pg.Client, back: number, { first, last, events, ids }: Part): Promise<void> {
  const { rows } = await client.query<{ day: string; next: string; name: string }>(
    `SELECT day::text, (day + 1)::text AS next, to_char(day, 'YYYYMMDD') AS name
     FROM (SELECT (now() AT TIME ZONE 'UTC')::date - $1::int AS day) AS days`,
    [back],
  );
  const [{ day, next, name } = { day: '', next: '', name: '' }] = rows;
  const table = `traces_${name}`;
  // Without a log of its own, because only reads are measured.
  await client.query(`CREATE UNLOGGED TABLE ${table} (LIKE traces INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  const { workspaceId, sourceId, destinationId } = ids;
  const accepted = JSON.stringify(ACCEPTED).replace('#destination', destinationId);
  for (let from = first; from <= last; from += CHUNK_EVENTS) {
    const to = Math.min(last, from + CHUNK_EVENTS - 1);
    const users = Math.ceil(events / EVENTS_PER_USER);
    await client.query(
      `INSERT INTO ${table} (day, id, workspace_id, source_id, destination_id, message_key, user_key, match_keys, share, step) ${FILL_SQL}`,
      [day, workspaceId, sourceId, destinationId, accepted, JSON.stringify(DELIVERED), from, to, users],
    );
  }
  await client.query(`ALTER TABLE traces ATTACH PARTITION ${table} FOR VALUES FROM ('${day}') TO ('${next}')`);
  await client.query(`VACUUM ANALYZE ${table}`);
}
