import { beforeAll, expect, it } from '@jest/globals';
import { MODEL_DAYS_MAX, SCHEMA_PAGE_ROWS_MAX } from '@weir/contracts';
import { useDatabase } from '@weir/testing';
import type { Logger } from 'typeorm';
import { DriftRepository } from '../src/collector/drift.js';
import { DriftListRepository } from '../src/insights/drift-list.repository.js';
import { InsightsController } from '../src/insights/insights.controller.js';
import { InsightsService } from '../src/insights/insights.service.js';
import { KeyCountRepository } from '../src/insights/key-facts.js';
import { ModelDaysListRepository } from '../src/insights/model-days-list.repository.js';
import { ModelsController } from '../src/models/models.controller.js';
import { VersionRepository } from '../src/models/models.repository.js';
import { PrivacyController } from '../src/privacy/privacy.service.js';
import { SCHEMA } from '../src/schema.js';
import { StatisticsRepository } from '../src/statistics/statistics.repository.js';
import { StoredBytesRepository } from '../src/statistics/stored-bytes.repository.js';
import { privacyOf, readsOf } from './running-schemas.js';

/** Enough rows that a plan which reads a whole table is never the cheapest. */
const MODELS = 2_000;
const VERSIONS_PER_MODEL = 10;
/** The model that the reads ask about is the largest. */
const LARGEST_VERSIONS = 100;
const KEYS = 30;
const SOURCES = 100;

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const uuid = (of: string, n: number) => `${of.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const EVENT = uuid('a', 1);
const [VERSION, AGAINST] = [uuid('b', 1), uuid('b', 2)];
const SOURCE = 'wk1';
/** Has one model in fifty. */
const WORKSPACE = `${'0'.repeat(26)}1`;

/** The rows of a column `id` of UUIDs, numbered as {@link uuid} does. */
const uuidSql = (of: string, n: string) => `('${of.repeat(8)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const schemaSql = (keys: number) =>
  `(SELECT jsonb_object_agg('properties.key_' || key, 'string') FROM generate_series(1, ${keys}) AS key)`;

/** Rows are written in the order of no index, so that no plan profits from it. */
const FILL = [
  `INSERT INTO models (event_id, workspace_id, write_key, event_type, event_identifier, schema, total_count, created_at, last_seen)
   SELECT ${uuidSql('a', 'n')}, lpad((n % 50)::text, 27, '0'), 'wk' || n % ${SOURCES}, 'track', 'Event ' || n, ${schemaSql(KEYS)}, 1, now(), now()
   FROM generate_series(1, ${MODELS}) AS n ORDER BY md5(n::text)`,
  `INSERT INTO versions (version_id, event_id, schema, total_count, first_seen, last_seen)
   SELECT ${uuidSql('b', 'n')}, ${uuidSql('a', `CASE WHEN n <= ${LARGEST_VERSIONS} THEN 1 ELSE 1 + n % ${MODELS} END`)},
     CASE WHEN n <= ${LARGEST_VERSIONS} THEN ${schemaSql(KEYS)} ELSE ${schemaSql(2)} END, 1, now(), now()
   FROM generate_series(1, ${MODELS * VERSIONS_PER_MODEL}) AS n ORDER BY md5(n::text)`,
  `INSERT INTO statistics (owner_id, event_id, frequent_values, samples)
   SELECT version_id, event_id, '[]', '[]' FROM versions UNION ALL SELECT event_id, event_id, '[]', '[]' FROM models`,
  `INSERT INTO statistics_parts (event_id, version_id, frequent_values, samples)
   SELECT event_id, version_id, '[]', '[]' FROM versions ORDER BY md5(version_id::text)`,
  `INSERT INTO drift_notices (event_id, kind, version_id, keys, noticed_at)
   SELECT event_id, 'new_version', version_id, '{}', now() FROM versions ORDER BY md5(version_id::text)`,
  `INSERT INTO drift_notices (event_id, kind, version_id, keys, noticed_at)
   SELECT event_id, 'vanished_key', version_id, '{}', now() FROM versions WHERE event_id = '${EVENT}'`,
  `INSERT INTO key_fact_parts (event_id, facts) SELECT event_id, '{}' FROM versions ORDER BY md5(version_id::text)`,
  `INSERT INTO source_privacy (write_key, samples, masked_keys) SELECT 'wk' || n, 'mask', '{}' FROM generate_series(1, ${MODELS}) AS n`,
  `INSERT INTO model_days (event_id, day, events)
   SELECT event_id, current_date - ago, 1 FROM models, generate_series(0, ${MODEL_DAYS_MAX}) AS ago ORDER BY md5(event_id::text || ago)`,
  `ANALYZE`,
];

beforeAll(async () => {
  for (const sql of FILL) await database.dataSource.query(sql);
});

/** A statement as it was sent. */
interface Statement {
  sql: string;
  parameters: unknown[];
}

/** The statements that `work` sends, except those that begin and end a transaction. */
async function sentBy(work: () => Promise<unknown>, which = /^\s*(SELECT|WITH)\b/): Promise<Statement[]> {
  const sent: Statement[] = [];
  const logQuery = (sql: string, parameters: unknown[] = []) => void sent.push({ sql, parameters });
  const ignore = () => undefined;
  const logger: Logger = {
    logQuery,
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  const before = database.dataSource.logger;
  Object.assign(database.dataSource, { logger });
  await work().finally(() => Object.assign(database.dataSource, { logger: before }));
  return sent.filter(({ sql }) => which.test(sql));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The steps of a plan that take longer the more rows the tables have. */
async function slowStepsOf({ sql, parameters }: Statement): Promise<string[]> {
  const { rows } = await database.dataSource.run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    parameters,
  );
  const nodes = rows.flatMap(({ 'QUERY PLAN': [{ Plan }] }) => nodesOf(Plan));
  return nodes.flatMap((node) => {
    const table = node['Relation Name'];
    const removed = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
    const sorted = node['Node Type'].endsWith('Sort') ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : 0;
    return [
      ...(node['Node Type'] === 'Seq Scan' ? [`reads all of ${table}`] : []),
      ...(sorted > SCHEMA_PAGE_ROWS_MAX + 1 ? [`sorts ${sorted} rows`] : []),
      ...(table && removed > SCHEMA_PAGE_ROWS_MAX ? [`reads ${removed} rows of ${table} in vain`] : []),
    ];
  });
}

type Requests<Controller> = {
  [Method in keyof Controller]: Controller[Method] extends (request: infer Request) => Promise<unknown>
    ? Request[]
    : never;
};

/** Requests of every call that a controller answers. The compiler asks for a new one here. */
const MODEL_READS: Requests<ModelsController> = {
  listModels: [
    {},
    { after: MODELS / 2 },
    { writeKey: SOURCE },
    { writeKey: SOURCE, after: MODELS / 2, limit: 5 },
    { workspaceId: WORKSPACE },
    { workspaceId: WORKSPACE, writeKey: SOURCE, after: 5 },
  ],
  owner: [{ eventId: EVENT }, { versionId: VERSION }],
  listVersions: [{ eventId: EVENT }, { eventId: EVENT, after: 10, limit: 5 }],
  modelMetadata: [{ eventId: EVENT }],
  versionMetadata: [{ versionId: VERSION }],
  keyCounts: [{ eventId: EVENT }],
  missingKeys: [{ versionId: VERSION }],
};
const INSIGHT_READS: Requests<InsightsController> = {
  keyFacts: [{ eventId: EVENT }, { eventId: EVENT, after: 'properties.key_2' }],
  jsonSchemas: [{}, { writeKey: SOURCE }, { after: MODELS / 2 }, { workspaceId: WORKSPACE }],
  jsonSchema: [{ eventId: EVENT }],
  days: [{}, { after: MODELS / 2 }, { writeKey: SOURCE }, { workspaceId: WORKSPACE, writeKey: SOURCE, after: 5 }],
  diff: [{ versionId: VERSION, against: AGAINST }],
  drift: [
    {},
    { after: 1_000 },
    { kind: 'vanished_key' },
    { eventId: EVENT },
    { eventId: EVENT, kind: 'vanished_key' },
    { writeKey: SOURCE },
    { writeKey: SOURCE, kind: 'vanished_key' },
    { writeKey: SOURCE, kind: 'new_type', after: 1_000 },
    { writeKey: 'wk2', eventId: EVENT },
    { workspaceId: WORKSPACE },
    { workspaceId: WORKSPACE, kind: 'vanished_key', after: 5 },
    { workspaceId: WORKSPACE, writeKey: SOURCE },
    { workspaceId: WORKSPACE, eventId: EVENT },
    { order: 'desc' },
    { eventId: EVENT, order: 'desc', after: 1_000 },
    { writeKey: SOURCE, kind: 'vanished_key', order: 'desc' },
    { workspaceId: WORKSPACE, order: 'desc', after: 1_000 },
  ],
};
const PRIVACY_READS: Pick<Requests<PrivacyController>, 'get' | 'piiFlags'> = {
  get: [{ writeKey: SOURCE }],
  piiFlags: [{ eventId: EVENT }],
};

const casesOf = (controller: string, reads: Record<string, unknown[]>) =>
  Object.entries(reads).flatMap(([method, requests]) =>
    requests.map((request): [string, string, unknown] => [controller, method, request]),
  );

function controllers(): Record<string, object> {
  const { dataSource } = database;
  const versions = new VersionRepository(dataSource);
  const insights = new InsightsService(
    new KeyCountRepository(dataSource),
    versions,
    new DriftListRepository(dataSource),
  );
  return {
    models: new ModelsController(readsOf(dataSource)),
    insights: new InsightsController(insights, new ModelDaysListRepository(dataSource)),
    privacy: new PrivacyController(privacyOf(dataSource).service),
  };
}

it.each([
  ...casesOf('models', MODEL_READS),
  ...casesOf('insights', INSIGHT_READS),
  ...casesOf('privacy', PRIVACY_READS),
])('%s.%s %j reads by index alone', async (controller, method, request) => {
  const own = controllers()[controller] as Record<string, (request: unknown) => Promise<unknown>>;
  const statements = await sentBy(async () => own[method]?.(request));
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    expect({ sql: statement.sql, slow: await slowStepsOf(statement) }).toEqual({ sql: statement.sql, slow: [] });
  }
});

it('the models that may have lost a key are looked for some at a time, by index alone', async () => {
  const [first, some] = ['00000000-0000-0000-0000-000000000000', 10];
  const statements = await sentBy(() => new DriftRepository().suspects(database.dataSource, first, some));
  expect(statements).toHaveLength(1);
  for (const statement of statements) expect(await slowStepsOf(statement)).toEqual([]);
});

it('the increments of a removed version are found by index alone', async () => {
  const forget = () =>
    database.dataSource.transaction((sql) =>
      new StatisticsRepository().forgetVersions(sql, [{ versionId: VERSION, eventId: EVENT }]),
    );
  const statements = await sentBy(forget, /^\s*(UPDATE|DELETE)\b/);
  expect(statements).toHaveLength(2);
  for (const statement of statements) expect(await slowStepsOf(statement)).toEqual([]);
});

it('the sum of what a workspace stores reads its models by index alone', async () => {
  const statements = await sentBy(() => new StoredBytesRepository().ofWorkspaces(database.dataSource, [WORKSPACE]));
  expect(statements).toHaveLength(1);
  for (const statement of statements) expect(await slowStepsOf(statement)).toEqual([]);
});

it('what a model stores is counted by index alone', async () => {
  const statements = await sentBy(
    () => new StoredBytesRepository().count(database.dataSource, [EVENT]),
    /^\s*UPDATE\b/,
  );
  expect(statements).toHaveLength(1);
  for (const statement of statements) expect(await slowStepsOf(statement)).toEqual([]);
});

it('a read that an index does not serve is found', async () => {
  const unindexed = { sql: `SELECT event_id FROM models WHERE event_identifier = $1`, parameters: ['Event 7'] };
  expect(await slowStepsOf(unindexed)).toContain('reads all of models');
  const unordered = { sql: `SELECT id::float8 AS id FROM models WHERE id > $1 ORDER BY id LIMIT 1`, parameters: [0] };
  expect(await slowStepsOf(unordered)).toContain(`sorts ${MODELS} rows`);
});
