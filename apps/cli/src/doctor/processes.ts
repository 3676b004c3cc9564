import type { Schema, WeirClient } from '@weir/client';

/** One thing that was looked at. */
export interface Check {
  name: string;
  isFine: boolean;
  finding: string;
}

type Process = Schema<'Process'>;

/** The alert `WeirEventsWait` begins at this figure, too. */
const WAITING_MAX = 10_000;
/** Further apart, and signed times of requests begin to be refused. Answers of processes may be 2.5 s apart. */
export const CLOCK_SECONDS_MAX = 5;

/** Checks what the processes tell of themselves. Finds nothing wrong if the token may not see it or the server does not tell. */
export async function processChecks(weir: WeirClient): Promise<Check[]> {
  const { data, error } = await weir.GET('/v2/processes');
  if (error?.status === 403 || error?.status === 404) return [];
  if (error) return [{ name: 'processes', isFine: false, finding: error.message }];
  const { processes } = data;
  return [health(processes), ...broker(processes), ...lag(processes), ...clocks(processes)];
}

const instancesOf = (processes: readonly Process[]) => processes.flatMap(({ instances }) => instances);

function health(processes: readonly Process[]): Check {
  const away = processes.filter(({ instances }) => !instances.some(({ ready }) => ready));
  const versions = [...new Set(instancesOf(processes).map(({ version }) => version))];
  const problems = [
    ...away.map(({ name, instances }) => `${name} ${instances.length > 0 ? 'is not ready' : 'does not answer'}`),
    ...(versions.length > 1 ? [`they run in versions ${versions.join(' and ')}: complete the upgrade`] : []),
  ];
  const finding = problems.join('; ') || `all ${processes.length} run in version ${versions.join()}`;
  return { name: 'processes', isFine: problems.length === 0, finding };
}

function broker(processes: readonly Process[]): Check[] {
  const brokers = instancesOf(processes).flatMap((instance) => instance.broker ?? []);
  const versions = [...new Set(brokers.map(({ version }) => version))].join(' and ');
  if (versions === '') return [];
  const isFine = brokers.every(({ isReliable }) => isReliable);
  const finding = isFine
    ? `NATS ${versions} keeps accepted events when it is killed`
    : `NATS ${versions} can forget accepted events when it is killed: install 2.11 or later (2.10 will do for a single server)`;
  return [{ name: 'broker', isFine, finding }];
}

function lag(processes: readonly Process[]): Check[] {
  const readers = processes.flatMap(({ name, instances }) => {
    const told = instances.flatMap(({ waiting }) => waiting ?? []);
    return told.length > 0 ? [{ name, waiting: told.reduce((sum, one) => sum + one, 0) }] : [];
  });
  if (readers.length === 0) return [];
  const isFine = readers.every(({ waiting }) => waiting <= WAITING_MAX);
  const behind = readers.filter(({ waiting }) => waiting > 0);
  const told = behind.map(({ name, waiting }) => `${waiting} batches of events wait for ${name}`).join('; ');
  return [{ name: 'lag', isFine, finding: told || 'no events wait in the streams' }];
}

/** Compared with each other. Leases and limits in time rely on them. */
function clocks(processes: readonly Process[]): Check[] {
  const times = instancesOf(processes).flatMap(({ time }) => (time === undefined ? [] : Date.parse(time)));
  if (times.length < 2) return [];
  const seconds = Math.round((Math.max(...times) - Math.min(...times)) / 1_000);
  const isFine = seconds <= CLOCK_SECONDS_MAX;
  const finding = isFine ? 'those of the processes agree' : `those of the processes differ by ${seconds} s`;
  return [{ name: 'clocks', isFine, finding }];
}
