import {
  acceptedSubject,
  type EventBatch,
  type EventModel,
  type EventVersion,
  ListModels,
  ListVersions,
} from '@weir/contracts';
import { RpcClient, StreamPublisher } from '@weir/messaging';
import { type Database, Metrics } from '@weir/service-kit';
import { startProcess } from '@weir/testing';
import { MODELS_PER_WRITE_KEY_MAX, VERSIONS_PER_MODEL_MAX, WORKSPACE_BYTES_MAX } from '../src/aggregation/limits.js';
import { AppliedBatchesRepository } from '../src/collector/applied-batches.repository.js';
import { DriftRepository } from '../src/collector/drift.js';
import { FlushService } from '../src/collector/flush.service.js';
import { KeyFactsRepository } from '../src/collector/key-facts.repository.js';
import { LateEvents } from '../src/collector/late-events.js';
import { ModelDaysDeltaRepository, ModelDeltaRepository } from '../src/collector/model-delta.repository.js';
import { ReliefService } from '../src/collector/relief.service.js';
import { VersionDeltaRepository } from '../src/collector/version-delta.repository.js';
import { WorkspaceBudget } from '../src/collector/workspace-budget.js';
import { ModelRepository, VersionRepository } from '../src/models/models.repository.js';
import { ModelsService } from '../src/models/models.service.js';
import { ForgettingService } from '../src/privacy/forgetting.service.js';
import { PrivacyRepository } from '../src/privacy/privacy.repository.js';
import { PrivacyService } from '../src/privacy/privacy.service.js';
import { FoldService } from '../src/statistics/fold.js';
import { StatisticsRepository } from '../src/statistics/statistics.repository.js';
import { StoredBytesRepository } from '../src/statistics/stored-bytes.repository.js';
import { type Expected, shapeKey } from './naive-oracle.js';
import { PEPPER, userKeys } from './user-keys.js';

const LIMITS = {
  modelsPerWriteKey: MODELS_PER_WRITE_KEY_MAX,
  versionsPerModel: VERSIONS_PER_MODEL_MAX,
  workspaceBytesMax: WORKSPACE_BYTES_MAX,
};

/** One collector, as in a process of its own. */
export function collectorOf(
  dataSource: Database,
  { statistics = new StatisticsRepository(), limits = {} as Partial<typeof LIMITS> } = {},
) {
  const config = { ...LIMITS, ...limits };
  const storedBytes = new StoredBytesRepository();
  const versions = new VersionDeltaRepository(new KeyFactsRepository(), config);
  const metrics = new Metrics('test');
  const budget = new WorkspaceBudget(dataSource, storedBytes, config, metrics);
  const relief = new ReliefService(dataSource, storedBytes, statistics, versions, budget, config);
  const flushes = new FlushService(
    dataSource,
    new AppliedBatchesRepository(),
    new ModelDeltaRepository(config),
    new ModelDaysDeltaRepository(),
    versions,
    statistics,
    new FoldService(statistics),
    storedBytes,
    budget,
    new DriftRepository(),
    new LateEvents(userKeys),
    userKeys,
  );
  return { flushes, budget, relief, metrics };
}

export const flushesOf = (...of: Parameters<typeof collectorOf>) => collectorOf(...of).flushes;

export function privacyOf(dataSource: Database, newSourceSamples: 'keep' | 'mask' = 'keep') {
  const repository = new PrivacyRepository(dataSource, new StatisticsRepository(), new StoredBytesRepository());
  const forgetting = new ForgettingService(repository);
  const service = new PrivacyService(dataSource, repository, new StatisticsRepository(), forgetting, {
    newSourceSamples,
  });
  return { service, forgetting };
}

export function readsOf(dataSource: Database, privacy = privacyOf(dataSource).service): ModelsService {
  const models = new ModelRepository(dataSource);
  const statistics = new StatisticsRepository();
  return new ModelsService(models, new VersionRepository(dataSource), statistics, privacy, dataSource);
}

/** Everything that the reads return about the models, in the form of the oracle. Frequent values are as listed. */
export async function described(dataSource: Database): Promise<Record<string, Expected>> {
  const reads = readsOf(dataSource);
  const { rows } = await reads.listModels();
  const entries = rows.map(async (model): Promise<[string, Expected]> => {
    const { EventID, WriteKey, EventType, EventIdentifier, Schema, TotalCount } = model;
    const { FrequentValues } = await reads.modelMetadata(EventID);
    const { rows: versions } = await reads.listVersions(EventID);
    const described = {
      total: TotalCount,
      keyCounts: await reads.keyCounts(EventID),
      types: mapValues(Schema, (types) => types.split(',').sort()),
      values: mapValues(FrequentValues, (listed) =>
        Object.fromEntries(listed.map(({ Value, Frequency }) => [Value, Frequency])),
      ),
      versions: Object.fromEntries(versions.map((one) => [shapeKey(Object.entries(one.Schema)), one.TotalCount])),
    };
    return [[WriteKey, EventType, EventIdentifier].join('/'), described];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const mapValues = <In, Out>(object: Record<string, In>, map: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

interface Place {
  databaseUrl: string;
  natsUrl: string;
}

/** Publishes a batch as the filter does. */
export const accept = (publisher: StreamPublisher, batch: EventBatch, msgId = batch.batchId) =>
  publisher.publish(acceptedSubject(batch), batch, { msgId });

const environmentOf = ({ databaseUrl, natsUrl }: Place) => ({
  DATABASE_URL: databaseUrl,
  NATS_URL: natsUrl,
  SCHEMA_PEPPER: PEPPER,
  SCHEMA_NEW_SOURCE_SAMPLES: 'keep',
  LOG_LEVEL: 'info',
});

export const startCollector = (place: Place, flags: readonly string[] = []) =>
  startProcess('schema-service.collector', environmentOf(place), flags);

export const startMain = (place: Place) => startProcess('schema-service.main', environmentOf(place));

export async function modelsOver(rpc: RpcClient, writeKey: string): Promise<EventModel[]> {
  return (await rpc.send(ListModels, { writeKey })).models;
}

export async function versionsOver(rpc: RpcClient, eventId: string): Promise<EventVersion[]> {
  return (await rpc.send(ListVersions, { eventId })).versions;
}
