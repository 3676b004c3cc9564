import { baseEnv, type DatabaseOptions, databaseEnv, loadConfig } from '@weir/service-kit';
import { z } from 'zod';
import { migrations } from './migrations/index.js';

const Env = z.object({ ...baseEnv, ...databaseEnv });
/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env };
export type Config = Readonly<z.output<typeof Env>>;

export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => loadConfig(Env, env);

export const databaseOf = (config: Config): DatabaseOptions => ({
  schema: 'registry',
  url: config.DATABASE_URL,
  poolMax: config.DATABASE_POOL_MAX,
  durability: config.DATABASE_DURABILITY,
  migrations,
});
