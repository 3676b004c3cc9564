import { performance } from 'node:perf_hooks';
import type { NatsConnection } from '@nats-io/transport-node';
import { PurgeSchemaUsers } from '@weir/contracts';
import { launchStack, removeStack } from '@weir/local';
import pg from 'pg';
import { brokerOf } from './broker.js';
import { cpuSeconds } from './cpu.js';
import { figure } from './report.js';

const MODELS_DEFAULT = 100_000;
const MODELS_CHUNK = 5_000;
const SERVICE = 'schema-service.main';
const WORKSPACE = 'bench'.padEnd(27, '0');
/** Users per deletion. */
const USERS = 50;
/** Paths with a counter, and values per path, for a model and its version. */
const PATHS = 10;
const VALUES = 5;
/** One model in this many holds data of the users. */
const FOUND_ONE_IN = [100, 1];

/**
 * `npm run bench -- purge [models]`: deletes users in a workspace with many models. First few models hold data of the users, then
 * all.
 */
export async function purge(): Promise<void> {
  const models = Number(process.argv[3] ?? MODELS_DEFAULT);
  const stack = await launchStack({ processes: ['gateway.main', SERVICE] });
  let nats: NatsConnection | undefined;
  try {
    nats = await brokerOf(stack.address.natsUrl);
    for (const oneIn of FOUND_ONE_IN) {
      await fill(stack.address.databaseUrl, { models, oneIn });
      const before = cpuSeconds(stack.programs()).get(SERVICE) ?? Number.NaN;
      const { calls, seconds } = await walk(nats, `one in ${oneIn}`);
      const cpu = (cpuSeconds(stack.programs()).get(SERVICE) ?? Number.NaN) - before;
      const label = `${models.toLocaleString('en')} models, one in ${oneIn} with something of ${USERS} users`;
      figure(label, seconds, 's', 1);
      figure(`${label}: calls`, calls, '');
      figure(`${label}: CPU of the service`, cpu, 's', 1);
    }
  } finally {
    await nats?.close();
    await removeStack(stack);
  }
}

async function walk(nats: NatsConnection, purgeId: string): Promise<{ calls: number; seconds: number }> {
  const users = Array.from({ length: USERS }, (_, n) => ({
    userId: `customer-${n}`,
    email: `customer-${n}@example.com`,
  }));
  const { subject, deadlineMs } = PurgeSchemaUsers;
  const startedAt = performance.now();
  for (let calls = 1; ; calls += 1) {
    const asked = JSON.stringify({
      pattern: subject,
      data: { workspaceId: WORKSPACE, users, purgeId },
      id: String(calls),
    });
    const { err, response } = (await nats.request(subject, asked, { timeout: deadlineMs })).json<{
      err?: unknown;
      response?: { done: boolean };
    }>();
    if (err) throw new Error(JSON.stringify(err));
    if (response?.done) return { calls, seconds: (performance.now() - startedAt) / 1_000 };
  }
}

/** Each model has one version, with counters and five samples. */
async function fill(databaseUrl: string, { models, oneIn }: { models: number; oneIn: number }): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('SET search_path = schemas');
    await client.query('SET session_replication_role = replica');
    await client.query('TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices');
    for (let from = 0; from < models; from += MODELS_CHUNK) {
      const [mine, others] = [textsOf('customer-7'), textsOf('somebody')];
      await client.query(
        `WITH made AS (
           INSERT INTO models (event_id, workspace_id, write_key, event_type, event_identifier, created_at, last_seen)
           SELECT gen_random_uuid(), $1, 'wk', 'track', 'Event ' || n, now(), now()
           FROM generate_series($2::int, $3::int) AS n RETURNING event_id, id)
         INSERT INTO statistics (owner_id, event_id, frequent_values, samples)
         SELECT CASE owner WHEN 'model' THEN event_id ELSE gen_random_uuid() END, event_id,
           CASE WHEN id % $4::int = 0 THEN $5 ELSE $7 END, CASE WHEN id % $4::int = 0 THEN $6 ELSE $8 END
         FROM made, unnest(ARRAY['model', 'version']) AS owner`,
        [WORKSPACE, from, Math.min(from + MODELS_CHUNK, models) - 1, oneIn, ...mine, ...others],
      );
    }
    await client.query('VACUUM ANALYZE models');
    await client.query('VACUUM ANALYZE statistics');
  } finally {
    await client.end();
  }
}

/** Values and samples in the form that the collector stores. */
function textsOf(userId: string): [values: string, samples: string] {
  const counts = (path: number) => Array.from({ length: VALUES }, (_, value) => [`value ${path} ${value}`, 3, 0]);
  const counters = Array.from({ length: PATHS }, (_, path) => [`properties.key_${path}`, 30, 0, 0, counts(path)]);
  const event = { type: 'track', userId, properties: { text: 'x'.repeat(200) } };
  const samples = Array.from({ length: 5 }, (_, n) => [
    0.9 - n / 10,
    JSON.stringify(n === 0 ? event : { ...event, userId: 'u' }),
  ]);
  return [JSON.stringify([...counters, ['userId', 30, 0, 0, [[userId, 3, 0]]]]), JSON.stringify(samples)];
}
