import { isIP } from 'node:net';
import { join } from 'node:path';
import type { ProcessName } from '@weir/contracts';
import { StackFault } from './fault.js';
import { LOOPBACK } from './ports.js';

/** Repository root: this file lies in deploy/local/src, or compiled in deploy/local/dist. */
const ROOT = join(import.meta.dirname, '../../..');

export const DEFAULT_APPS_DIR = join(ROOT, 'apps');
const DEFAULT_PORT = 8080;
/** A laptop's worth; each replica is a dozen processes. */
const REPLICAS_MAX = 4;

export interface LaunchOptions {
  /** Keeps the data, the generated secrets and the logs. */
  dataDir: string;
  /** HTTP port of the first gateway; 0 picks a free one. */
  port: number;
  /** Address that the gateways bind; loopback when absent. Everything else of the stack binds loopback always. */
  host?: string;
  /** Processes of each kind. The second gateway gets a free port. */
  replicas: number;
  /** Environment of the operator; tests add their overrides. */
  env: Readonly<Record<string, string | undefined>>;
  /** Only these processes; all when absent. */
  processes?: readonly ProcessName[];
  /** Holds `<app>/dist/<entry>.js`. */
  appsDir: string;
  /** False trades power-loss safety of the databases for speed: tests. */
  durable: boolean;
  /** Where the processes' logs go: to the launcher's own output, or to files below the data directory. */
  output: 'inherit' | 'files';
  /** Serves /livez, /readyz and /metrics of each process on a free port; `StackAddress.opsUrls` says which. */
  opsPorts?: boolean;
  /** Progress for the person who waits. */
  say: (line: string) => void;
  /** Called once when a process fails again and again after the start; the stack is still to be stopped. */
  onGiveUp: (fault: StackFault) => void;
  /** Ends a start that is still under way. */
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

/** Shells and systems set HOST to a name at times: to bind that by accident would open the stack to its network. */
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
