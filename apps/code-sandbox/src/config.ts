import { closeSync, readFileSync } from 'node:fs';
import { Ksuid } from '@weir/contracts';
import { assertNoPlaceholders, baseEnv, loadConfig, processConfig } from '@weir/service-kit';
import { z } from 'zod';

const Env = z
  .object({
    LOG_LEVEL: baseEnv.LOG_LEVEL,
    OPS_PORT: baseEnv.OPS_PORT,
    OPS_HOST: baseEnv.OPS_HOST,
    /** `production` reads the broker's URL only from a descriptor, and refuses placeholder secrets. */
    NODE_ENV: z.string().optional(),
    /** File descriptor from which the broker's URL is read. Unlike the environment, it can be read only once. */
    NATS_CREDENTIALS_FD: z.coerce.number().int().min(3).optional(),
    NATS_URL: z.string().min(1).optional(),
    /**
     * Child processes that may have a workspace, started on demand. Each takes 15 MiB of private memory when idle, and 30 to 60
     * at work.
     */
    SANDBOX_CHILDREN: z.coerce.number().int().min(2).max(256).default(8),
    /** Socket path for the children's container. Without it, children run as processes of the supervisor. */
    SANDBOX_CHILDREN_SOCKET: z.string().min(1).optional(),
    /** The kill switch: refuses all user code. */
    SANDBOX_DISABLED: z.enum(['true', 'false']).default('false'),
    /** Refuses the code of these workspaces, separated by commas. */
    SANDBOX_DISABLED_WORKSPACES: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(z.array(Ksuid)),
  })
  .refine(({ NATS_CREDENTIALS_FD, NATS_URL }) => NATS_CREDENTIALS_FD !== undefined || NATS_URL !== undefined, {
    path: ['NATS_CREDENTIALS_FD'],
    message: 'is required',
  })
  .refine(({ NATS_CREDENTIALS_FD, NODE_ENV }) => NATS_CREDENTIALS_FD !== undefined || NODE_ENV !== 'production', {
    path: ['NATS_CREDENTIALS_FD'],
    message: 'is required in production: NATS_URL would put credentials into the environment',
  });

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env };

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(Env, env);
  const fd = read.NATS_CREDENTIALS_FD;
  const natsUrl = fd === undefined ? (read.NATS_URL ?? '') : readSecret(fd);
  assertNoPlaceholders({ NATS_URL: natsUrl }, env);
  return Object.freeze({
    ...processConfig({ ...read, NATS_URL: natsUrl }),
    /** The URL came from the environment, which is meant for development only. */
    hasUnsafeCredentials: fd === undefined,
    children: read.SANDBOX_CHILDREN,
    childrenSocket: read.SANDBOX_CHILDREN_SOCKET,
    switchedOff: {
      everything: read.SANDBOX_DISABLED === 'true',
      workspaces: read.SANDBOX_DISABLED_WORKSPACES,
    },
  });
}

/** Reads the descriptor to its end and closes it, so that nothing started later can read it. */
function readSecret(fd: number): string {
  const secret = readFileSync(fd, 'utf8').trim();
  closeSync(fd);
  if (secret === '') throw new Error('The environment is not complete:\n  NATS_CREDENTIALS_FD: contains no URL');
  return secret;
}
