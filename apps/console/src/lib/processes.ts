import type { Schema } from '@weir/client';
import { plural } from './format.js';

export type Process = Schema<'Process'>;

/** The work of each process. A process of a newer server, which this page does not know, shows its name alone. */
const WORK: Readonly<Record<string, string>> = {
  'gateway.main': 'answers the API, and takes events in',
  'transformation-registry.main': 'keeps code, and publishes it',
  'regulation-service.main': 'keeps regulations and the audit trail',
  'regulation-service.filter': 'stops the events of suppressed users',
  'regulation-service.eraser': 'deletes users at destinations',
  'test-runner.main': 'tests events stage by stage',
  'delivery-service.main': 'lists, counts and repeats deliveries',
  'delivery-service.deliverer': 'sends events to destinations',
  'delivery-service.fetcher': 'makes the calls of user code',
  'delivery-service.archiver': 'archives events, and replays them',
  'schema-service.main': 'answers for event schemas',
  'schema-service.collector': 'counts and describes events',
  'code-sandbox.main': 'runs your code',
};

export const workOf = ({ name }: Pick<Process, 'name'>): string => WORK[name] ?? '';

type State = 'works' | 'limps' | 'away';

/** One replica that is ready carries the work of its process. */
export function stateOf({ instances }: Pick<Process, 'instances'>): State {
  if (!instances.some(({ ready }) => ready)) return 'away';
  return instances.every(({ ready }) => ready) ? 'works' : 'limps';
}

/** The state for people. */
export function wordOf(process: Pick<Process, 'instances'>): string {
  if (process.instances.length === 0) return 'does not answer';
  return { works: 'works', limps: 'works partly', away: 'cannot work' }[stateOf(process)];
}

/** Lists each reason once, even if several replicas give it. */
export const reasonsOf = ({ instances }: Pick<Process, 'instances'>): string[] => [
  ...new Set(instances.flatMap(({ reasons }) => reasons)),
];

/** Every version that answers. More than one means that an upgrade is on its way, or stopped half way. */
export const versionsOf = (processes: readonly Pick<Process, 'instances'>[]): string[] => [
  ...new Set(processes.flatMap(({ instances }) => instances.map(({ version }) => version))),
];

/** The state of all in one sentence. */
export function summaryOf(processes: readonly Process[]): string {
  const away = processes.filter((process) => stateOf(process) === 'away').length;
  if (away > 0) return `${plural(away, 'process', 'processes')} of ${processes.length} cannot work.`;
  const versions = versionsOf(processes);
  if (versions.length > 1) return `All processes work, in ${versions.length} versions: an upgrade is not complete.`;
  return 'All processes work.';
}
