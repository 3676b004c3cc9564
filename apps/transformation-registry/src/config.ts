import { baseEnv, databaseConfig, databaseEnv, loadConfig, processConfig } from '@weir/service-kit';
import { z } from 'zod';

const Env = z.object({ ...baseEnv, ...databaseEnv });
/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env };

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(Env, env);
  return Object.freeze({ ...processConfig(read), database: databaseConfig(read) });
}
