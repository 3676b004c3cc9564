import { egressConfig, egressEnv } from '@weir/egress';
import { baseEnv, databaseConfig, databaseEnv, loadConfig, processConfig, secretKeys } from '@weir/service-kit';
import { z } from 'zod';

const MainEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...egressEnv,
  /** Decrypts the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKeys,
});

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: MainEnv };

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MainEnv, env);
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    egress: egressConfig(read, [read.NATS_URL, read.DATABASE_URL]),
  });
}
