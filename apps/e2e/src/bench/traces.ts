import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { DeliverySink } from './delivery-sink.js';
import { WITHOUT_RATE_LIMITS } from './load.js';
import { figure } from './report.js';
import { MICROSECONDS, offer, type Work } from './stack-load.js';

const SECONDS_DEFAULT = 5;
const ROUNDS_DEFAULT = 7;
const USERS = 1_000;
const WORKS: readonly Omit<Work, 'name'>[] = [
  { batch: 1, connections: 32, users: USERS },
  { batch: 50, connections: 16, users: USERS },
];
/** Sets `TRACES_PER_SECOND` of two whole stacks: one traces every event, the other none. Only one of them works at a time. */
const SETTINGS = { with: '1000000', without: '0' } as const;
/** The default of `TRACES_PER_SECOND`. */
const TRACED_PER_SECOND = 100;
type Setting = keyof typeof SETTINGS;
const LOAD = 'load and sink';

/**
 * `npm run bench -- traces --seconds 5 --rounds 7`: what a traced event costs. A stack that traces all and one that traces none take
 * turns under full load, because a machine's speed changes. Prints medians of the processor time per event, and from their difference
 * what the default budget takes. That does not depend on how busy the machine is with other work.
 */
export async function traces(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds ?? SECONDS_DEFAULT);
  const rounds = Number(values.rounds ?? ROUNDS_DEFAULT);
  const sink = new DeliverySink();
  const sinkUrl = await sink.start();
  const stacks: Partial<Record<Setting, LocalStack>> = {};
  try {
    for (const setting of Object.keys(SETTINGS) as Setting[]) stacks[setting] = await started(setting);
    for (const work of WORKS) {
      const measured: Record<Setting, Round[]> = { with: [], without: [] };
      for (let round = 0; round < rounds; round += 1) {
        // the stack that begins has an advantage, so they take turns
        const order: Setting[] = round % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
        for (const setting of order) {
          const name = `${setting} traces, ${work.batch} a request, round ${round}`;
          const stack = stacks[setting] as LocalStack;
          measured[setting].push(
            roundOf(await offer({ stack, sink, sinkUrl, seconds, partitions: 1 }, { ...work, name })),
          );
        }
      }
      report(`${work.batch} a request`, measured);
    }
  } finally {
    await sink.close();
    for (const stack of Object.values(stacks)) await removeStack(stack);
  }
}

const started = (setting: Setting): Promise<LocalStack> =>
  launchStack({
    env: { ...WITHOUT_RATE_LIMITS, TRACES_PER_SECOND: SETTINGS[setting] },
  });

interface Round {
  /** Microseconds of processor time per event, of all programs of the stack. */
  cpu: number;
  /** Events per second until all had arrived. */
  rate: number;
}

function roundOf({ used, taken, wall }: Awaited<ReturnType<typeof offer>>): Round {
  const spent = [...used].reduce((sum, [program, seconds]) => sum + (program === LOAD ? 0 : seconds), 0);
  return { cpu: (spent * MICROSECONDS) / taken, rate: taken / wall };
}

function report(name: string, measured: Record<Setting, Round[]>): void {
  for (const setting of Object.keys(SETTINGS) as Setting[]) {
    figure(`${name}, ${setting} traces: CPU`, medianOf(measured[setting], 'cpu'), 'us an event');
    figure(`${name}, ${setting} traces: delivered`, medianOf(measured[setting], 'rate'), 'events/s');
  }
  // pairs of a round saw the same machine
  const costs = measured.with.map(({ cpu }, round) => cpu - (measured.without[round]?.cpu ?? Number.NaN));
  const cost = median(costs);
  figure(`${name}: a traced event, median of ${costs.length}`, cost, 'us of CPU');
  figure(`${name}: least`, Math.min(...costs), 'us of CPU');
  figure(`${name}: most`, Math.max(...costs), 'us of CPU');
  const share = (100 * TRACED_PER_SECOND * cost) / (availableParallelism() * MICROSECONDS);
  figure(`${name}: ${TRACED_PER_SECOND} a second take`, share, '% of this machine', 1);
}

const medianOf = (rounds: readonly Round[], key: keyof Round): number => median(rounds.map((round) => round[key]));

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, one) => sum + one, 0) / middle.length;
}
