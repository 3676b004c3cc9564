import { isIP } from 'node:net';
import { join } from 'node:path';
import type { ProcessName } from '@weir/contracts';
import { LOOPBACK, StackFault } from '@weir/local-servers';

/** Repository root. This file is in deploy/local/src, or compiled in deploy/local/dist. */
const ROOT = join(import.meta.dirname, '../../..');

export const DEFAULT_APPS_DIR = join(ROOT, 'apps');
const DEFAULT_PORT = 8080;
/** Fits a laptop: each replica is a dozen processes. */
const REPLICAS_MAX = 4;

/** A way from a program to a server. `from` is a broker's user, a schema of the database, or another server of the broker. */
export interface Way {
  from: string;
  to: string;
  port: number;
}

export interface LaunchOptions {
  /** Folder of the data, the generated secrets and the logs. */
  dataDir: string;
  /** HTTP port of the first gateway. 0 picks a free one. */
  port: number;
  /** Address that the gateways bind. Defaults to loopback. All other programs always bind loopback. */
  host?: string;
  /** Processes of each kind. Further gateways get free ports. */
  replicas: number;
  /** Processes that have as many replicas. The others run once. Defaults to all. For benches. */
  replicated?: readonly ProcessName[];
  /** Servers of the broker. More than one form a cluster, with every stream on each of them. Defaults to one. For tests. */
  brokers?: number;
  /** Puts something between two programs, and returns the port at which `from` then finds the port of `to`. For tests. */
  link?: (way: Way) => Promise<number>;
  /** More variables of a process, by its name. For tests. */
  variables?: (program: string) => Readonly<Record<string, string>>;
  /** The operator's environment. Tests add overrides. */
  env: Readonly<Record<string, string | undefined>>;
  /** Limits the processes to start. Defaults to all, and the archiver where there is an archive. */
  processes?: readonly ProcessName[];
  /** Folder that holds `<app>/dist/<entry>.js`. */
  appsDir: string;
  /** False trades the databases' safety from power loss for speed. For tests. */
  durable: boolean;
  /** Where the processes log: the launcher's own output, or files in the data directory. */
  output: 'inherit' | 'files';
  /** Serves /livez, /readyz and /metrics of each process on a free port. `StackAddress.opsUrls` lists the addresses. */
  opsPorts?: boolean;
  /** Reports progress to the person who waits. */
  say: (line: string) => void;
  /** Called once if a process fails repeatedly after the start. The caller must still stop the stack. */
  onGiveUp: (fault: StackFault) => void;
  /** Aborts a start in progress. */
  signal?: AbortSignal;
}

/** Options of `npm start`, from the operator's environment. */
export function optionsFromEnvironment(env: LaunchOptions['env']): Omit<LaunchOptions, 'say' | 'onGiveUp' | 'signal'> {
  return {
    dataDir: env['WEIR_DATA_DIR'] || join(ROOT, '.weir'),
    port: wholeNumber(env, 'PORT', { fallback: DEFAULT_PORT, min: 0, max: 65_535 }),
    host: bindAddress(env),
    replicas: wholeNumber(env, 'WEIR_REPLICAS', { fallback: 1, min: 1, max: REPLICAS_MAX }),
    env,
    appsDir: DEFAULT_APPS_DIR,
    durable: true,
    output: 'inherit',
    opsPorts: true,
  };
}

/**
 * Accepts only IP addresses. Some shells and systems set HOST to a name, and binding that by accident would open the stack to the
 * network.
 */
function bindAddress(env: LaunchOptions['env']): string {
  const text = env['HOST'];
  if (!text) return LOOPBACK;
  if (isIP(text)) return text;
  throw new StackFault(`HOST is "${text}": set it to an IP address to bind, or unset it for ${LOOPBACK}.`);
}

interface Range {
  fallback: number;
  min: number;
  max: number;
}

function wholeNumber(env: LaunchOptions['env'], name: string, { fallback, min, max }: Range): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StackFault(`${name} is "${text}": set it to a whole number from ${min} to ${max}.`);
}
