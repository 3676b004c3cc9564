import { baseEnv, databaseConfig, databaseEnv, loadConfig, processConfig, secretKeys } from '@weir/service-kit';
import { z } from 'zod';
import { MODELS_PER_WRITE_KEY_MAX, VERSIONS_PER_MODEL_MAX, WORKSPACE_BYTES_MAX } from './aggregation/limits.js';

const Env = z.object({
  ...baseEnv,
  ...databaseEnv,
  /**
   * Keys the hashes that record who had a value. During and after a rotation several (docs/recovery.md). The service refuses to start
   * without one that it used, because deletions would then leave values behind.
   */
  SCHEMA_PEPPER: secretKeys,
  /**
   * How samples of a new source are shown until a user chooses: `mask` hides values that look personal, `keep` hides nothing. Sources
   * that have models when an older Weir is updated stay at `keep`.
   */
  SCHEMA_NEW_SOURCE_SAMPLES: z.enum(['mask', 'keep']).default('mask'),
});
/** A model's versions are read together. More of them would slow reads down and add no accuracy. */
const VERSIONS_MOST = 1_000;
/** A source's models are counted before one is added. */
const MODELS_MOST = 100_000;
/** Less would not hold one model. */
const WORKSPACE_BYTES_LEAST = 1_048_576;

const CollectorEnv = Env.extend({
  /** Models of one write key. Events of further models are not modelled. */
  SCHEMA_MODELS_PER_WRITE_KEY_MAX: z.coerce.number().int().min(1).max(MODELS_MOST).default(MODELS_PER_WRITE_KEY_MAX),
  /** Versions of one model. Beyond this limit, the one unseen for longest is removed and its key counts stay. */
  SCHEMA_VERSIONS_PER_MODEL_MAX: z.coerce.number().int().min(1).max(VERSIONS_MOST).default(VERSIONS_PER_MODEL_MAX),
  /**
   * Bytes of statistics, versions and schemas that one workspace may store. Beyond it, its events are only counted, and models that were
   * unseen for longest lose their statistics.
   */
  SCHEMA_WORKSPACE_BYTES_MAX: z.coerce.number().int().min(WORKSPACE_BYTES_LEAST).default(WORKSPACE_BYTES_MAX),
});
/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env, collector: CollectorEnv };

/** Configuration of `main`, which that of `collector` extends. */
export type Config = ReturnType<typeof readConfig>;
export type CollectorConfig = ReturnType<typeof readCollectorConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return Object.freeze(serviceConfig(loadConfig(Env, env)));
}

export function readCollectorConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(CollectorEnv, env);
  return Object.freeze({
    ...serviceConfig(read),
    /** Operators choose these limits, because higher ones cost rows and read time. */
    modelsPerWriteKey: read.SCHEMA_MODELS_PER_WRITE_KEY_MAX,
    versionsPerModel: read.SCHEMA_VERSIONS_PER_MODEL_MAX,
    workspaceBytesMax: read.SCHEMA_WORKSPACE_BYTES_MAX,
  });
}

const serviceConfig = (read: z.output<typeof Env>) => ({
  ...processConfig(read),
  database: databaseConfig(read),
  pepper: read.SCHEMA_PEPPER,
  newSourceSamples: read.SCHEMA_NEW_SOURCE_SAMPLES,
});
