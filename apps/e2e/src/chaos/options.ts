import { parseArgs } from 'node:util';
import { BROKERS } from './broker-faults.js';
import { faultsOf } from './faults.js';
import type { Plan } from './plan.js';

const HELP = `npm run chaos -- [options]

Works in five workspaces at once, makes faults meanwhile, and judges the history of each round. All rounds of a run use one stack, and each
has workspaces of its own. The seed decides operations, faults and instants.

  --seed 7          plays this seed (1)
  --seeds 1-30      plays these seeds
  --fault a,b       only faults whose names contain one of these texts
  --each            gives each fault a round of its own for each seed
  --mix 3           each round takes three of the faults, which the seed chooses
  --minutes 2       goes on with the faults of a round for that long. Each is made once at least
  --limit 60        begins no round after that many minutes
  --cluster         three brokers with three copies of each stream
  --replicas 2      processes of each kind (2). Wrong clocks need 1
  --keep            keeps data, logs and histories after a broken round
  --list            names the faults

WEIR_CHAOS_PATIENCE=3 waits three times as long for everything to come to rest.`;

export interface Options extends Plan {
  brokers: number;
  replicas: number;
  minutes: number;
  limitMinutes: number;
  keep: boolean;
}

/** Undefined if the caller wanted help only, which is printed. */
export function optionsOf(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      ...{ seed: { type: 'string', default: '1' }, seeds: { type: 'string' }, fault: { type: 'string', default: '' } },
      ...{ each: { type: 'boolean', default: false }, mix: { type: 'string', default: '0' } },
      ...{ minutes: { type: 'string', default: '0' }, limit: { type: 'string', default: 'Infinity' } },
      ...{ cluster: { type: 'boolean', default: false }, replicas: { type: 'string', default: '2' } },
      ...{ keep: { type: 'boolean', default: false }, list: { type: 'boolean' }, help: { type: 'boolean' } },
    },
  });
  const brokers = values.cluster ? BROKERS : 1;
  const names = faultsOf(brokers);
  if (values.help || values.list) {
    console.log(values.help ? HELP : names.join('\n'));
    return undefined;
  }
  const wanted = values.fault.split(',');
  const faults = names.filter((fault) => wanted.some((text) => fault.includes(text)));
  if (faults.length === 0) throw new Error(`no fault is called that: ${names.join(', ')}`);
  return {
    ...{ brokers, faults, each: values.each, keep: values.keep },
    seeds: seedsOf(values.seeds ?? `${values.seed}-${values.seed}`),
    mix: Number(values.mix),
    replicas: Number(values.replicas),
    minutes: Number(values.minutes),
    limitMinutes: Number(values.limit),
  };
}

function seedsOf(text: string): [number, number] {
  const [first, last] = /^(\d+)-(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
  if (first === undefined || last === undefined || first > last) throw new Error('--seeds takes a range such as 1-30');
  return [first, last];
}
