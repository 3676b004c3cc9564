import { closeSync, readFileSync } from 'node:fs';
import { Ksuid } from '@weir/contracts';
import { assertNoPlaceholders, type BoundAddress, baseEnv, loadConfig, opsAddressOf } from '@weir/service-kit';
import { z } from 'zod';
import type { SwitchedOff } from './kill-switch.js';

const Env = z
  .object({
    LOG_LEVEL: baseEnv.LOG_LEVEL,
    OPS_PORT: baseEnv.OPS_PORT,
    OPS_HOST: baseEnv.OPS_HOST,
    /** `production` takes the broker's URL from a descriptor only, and refuses placeholders of secrets. */
    NODE_ENV: z.string().optional(),
    /** Descriptor to read the broker's URL from: an environment can be read by whoever gets hold of the process. */
    NATS_CREDENTIALS_FD: z.coerce.number().int().min(3).optional(),
    NATS_URL: z.string().min(1).optional(),
    /** Child processes with a workspace each, started as they are needed: 15 MiB of its own when idle, 30 to 60 at work. */
    SANDBOX_CHILDREN: z.coerce.number().int().min(2).max(256).default(8),
    /** Path of the socket on which the container of the children is served; without it children are the process's own. */
    SANDBOX_CHILDREN_SOCKET: z.string().min(1).optional(),
    /** The kill switch: no user code at all. */
    SANDBOX_DISABLED: z.enum(['true', 'false']).default('false'),
    /** The same for these workspaces, separated by commas. */
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

/** By process, for the configuration's reference. */
export const ENVIRONMENTS = { main: Env };

export interface Config {
  logLevel: string;
  ops: BoundAddress | undefined;
  natsUrl: string;
  /** The URL came by the environment, which is for development only. */
  hasUnsafeCredentials: boolean;
  children: number;
  childrenSocket: string | undefined;
  switchedOff: SwitchedOff;
}

/** Reads the descriptor to its end and closes it, so nothing started later can read it again. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Readonly<Config> {
  const { NATS_CREDENTIALS_FD: fd, NATS_URL, ...rest } = loadConfig(Env, env);
  const natsUrl = fd === undefined ? (NATS_URL ?? '') : readSecret(fd);
  assertNoPlaceholders({ NATS_URL: natsUrl }, env);
  return Object.freeze({
    logLevel: rest.LOG_LEVEL,
    ops: opsAddressOf(rest),
    natsUrl,
    hasUnsafeCredentials: fd === undefined,
    children: rest.SANDBOX_CHILDREN,
    childrenSocket: rest.SANDBOX_CHILDREN_SOCKET,
    switchedOff: {
      everything: rest.SANDBOX_DISABLED === 'true',
      workspaces: rest.SANDBOX_DISABLED_WORKSPACES,
    },
  });
}

function readSecret(fd: number): string {
  const secret = readFileSync(fd, 'utf8').trim();
  closeSync(fd);
  if (secret === '') throw new Error('The environment is not complete:\n  NATS_CREDENTIALS_FD: holds no URL');
  return secret;
}
