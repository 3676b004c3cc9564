import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchStack, removeStack } from '@weir/local';
import { timelineOf } from '../history/check.js';
import { BROKERS } from './broker-faults.js';
import { CLOCK_FAULTS, Clocks } from './clocks.js';
import { DISK_FAULTS, Disks, SMALL_STREAMS } from './disks.js';
import { faultsOf } from './faults.js';
import { Links } from './links.js';
import { randomOf } from './random.js';
import { play, type Round } from './round.js';
import { Sink } from './sink.js';

/** `npm run chaos -- --seed 1 --seeds 20 [--cluster] [--fault postgres,pause] [--minutes 2]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    /** Runs a broker of three servers, and makes them fail too. */
    cluster: { type: 'boolean', default: false },
    /** Only faults whose name contains one of these texts. */
    fault: { type: 'string', default: '' },
    /** Goes on with faults for this long. Each is made once at least. */
    minutes: { type: 'string', default: '0' },
    keep: { type: 'boolean', default: false },
  },
});
const SHOWN_MAX = 20;

const first = Number(values.seed);
const minutes = Number(values.minutes);
const patience = Number(process.env['WEIR_CHAOS_PATIENCE'] ?? 1);
const brokers = values.cluster ? BROKERS : 1;
const wanted = values.fault.split(',');
const faults = faultsOf(brokers).filter((fault) => wanted.some((text) => fault.includes(text)));
if (faults.length === 0) throw new Error(`no fault is called that: ${faultsOf(brokers).join(', ')}`);
const dataDir = mkdtempSync(join(tmpdir(), 'weir-chaos-'));
const uses = (some: readonly string[]) => some.some((fault) => faults.includes(fault));
const disks = uses(DISK_FAULTS) ? Disks.mount(dataDir) : undefined;
const clocks = uses(CLOCK_FAULTS) ? Clocks.in(dataDir) : undefined;
const links = new Links(randomOf(first));
const stack = await launchStack({
  ...{ brokers, dataDir, link: links.link },
  ...(clocks && { variables: clocks.variables }),
  ...(disks && { env: SMALL_STREAMS }),
}).catch((error) => {
  disks?.unmount();
  throw error;
});
/** Not on a disk that becomes full. */
const histories = mkdtempSync(join(tmpdir(), 'weir-histories-'));
const sink = await Sink.open();
console.log(`logs: ${stack.address.dataDir}/logs`);
try {
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const round = await play({ stack, sink, links, clocks, disks }, { faults, minutes, histories, patience }, seed);
    show(seed, round);
    if (isBroken(round)) process.exitCode = 1;
  }
} finally {
  await sink.close();
  await end(values.keep && process.exitCode === 1);
  if (!process.exitCode) rmSync(histories, { recursive: true });
}

async function end(keepsData: boolean): Promise<void> {
  if (keepsData) await stack.stop();
  else if (!disks) await removeStack(stack);
  else {
    await stack.stop();
    disks.unmount();
    rmdirSync(dataDir);
  }
  links.close();
}

function isBroken({ violations, isAtRest }: Round): boolean {
  return violations.length > 0 || !isAtRest;
}

function show(seed: number, round: Round): void {
  const { sent, fates, repeated, violations, isAtRest, waiting, lines, file } = round;
  const figures = { sent, ...fates, repeated, violations: violations.length };
  console.log(`seed ${seed}${isBroken(round) ? ' BROKEN' : ''}: ${JSON.stringify(figures)}`);
  if (!isAtRest) console.log(`  not at rest: ${JSON.stringify(waiting)}`);
  const [earliest] = violations;
  if (!earliest) return;
  for (const { rule, event, user, workspace, says } of violations.slice(0, SHOWN_MAX)) {
    console.log(`  ${rule}: ${event ?? ''} ${workspace ?? ''} ${user ?? ''} ${says}`);
  }
  console.log(`history: ${file}\n${timelineOf(lines, earliest)}`);
}
