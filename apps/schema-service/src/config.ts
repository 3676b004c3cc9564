import { baseEnv, type DatabaseOptions, databaseEnv, loadConfig, secretKey } from '@weir/service-kit';
import { z } from 'zod';
import { MODELS_PER_WRITE_KEY_MAX, VERSIONS_PER_MODEL_MAX } from './aggregation/limits.js';
import type { Caps } from './collector/caps.js';
import { migrations } from './migrations/index.js';

const Env = z.object({
  ...baseEnv,
  ...databaseEnv,
  /**
   * Keys the hashes that record who had a value. The service refuses to start with another key, because deletions would then
   * leave values behind.
   */
  SCHEMA_PEPPER: secretKey,
});
/** A model's versions are read together. More of them would slow reads down and add no accuracy. */
const VERSIONS_MOST = 1_000;
/** A source's models are counted before one is added. */
const MODELS_MOST = 100_000;

const CollectorEnv = Env.extend({
  /** Models of one write key. Events of further models are not modelled. */
  SCHEMA_MODELS_PER_WRITE_KEY_MAX: z.coerce.number().int().min(1).max(MODELS_MOST).default(MODELS_PER_WRITE_KEY_MAX),
  /** Versions of one model. Beyond this limit, the one unseen for longest is removed and its key counts stay. */
  SCHEMA_VERSIONS_PER_MODEL_MAX: z.coerce.number().int().min(1).max(VERSIONS_MOST).default(VERSIONS_PER_MODEL_MAX),
});
/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env, collector: CollectorEnv };
export type Config = Readonly<z.output<typeof Env>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => loadConfig(Env, env);

export const readCollectorConfig = (env: NodeJS.ProcessEnv = process.env) => loadConfig(CollectorEnv, env);

export const capsOf = (config: Readonly<z.output<typeof CollectorEnv>>): Caps => ({
  modelsPerWriteKey: config.SCHEMA_MODELS_PER_WRITE_KEY_MAX,
  versionsPerModel: config.SCHEMA_VERSIONS_PER_MODEL_MAX,
});

export const databaseOf = (config: Config): DatabaseOptions => ({
  schema: 'schemas',
  url: config.DATABASE_URL,
  poolMax: config.DATABASE_POOL_MAX,
  durability: config.DATABASE_DURABILITY,
  migrations,
});
