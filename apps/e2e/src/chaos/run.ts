import { parseArgs } from 'node:util';
import { launchStack, removeStack } from '@weir/local';
import { recordingServer } from '@weir/testing';
import { BROKERS } from './broker-faults.js';
import { faultsOf, play, type Round } from './round.js';
import { Taps } from './taps.js';

/** `npm run chaos -- --seed 1 --seeds 20 [--cluster] [--fault postgres]` */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    /** Runs a broker of three servers, and makes them fail too. */
    cluster: { type: 'boolean', default: false },
    /** Only faults whose name contains this text. */
    fault: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
});
const SHOWN_MAX = 20;

const first = Number(values.seed);
const brokers = values.cluster ? BROKERS : 1;
const faults = faultsOf(brokers).filter((fault) => fault.includes(values.fault));
if (faults.length === 0) throw new Error(`no fault is called that: ${faultsOf(brokers).join(', ')}`);
const stack = await launchStack({ brokers });
const hook = await recordingServer();
const taps = await Taps.open(stack.address.natsUrl);
console.log(`logs: ${stack.address.dataDir}/logs`);
try {
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const round = await play({ stack, hook, taps, faults }, seed);
    show(seed, round);
    if (isBroken(round)) process.exitCode = 1;
  }
} finally {
  await Promise.all([taps.close(), hook.close()]);
  if (values.keep && process.exitCode === 1) await stack.stop();
  else await removeStack(stack);
}

function isBroken({ lost, overtaken, sent, counted }: Round): boolean {
  return lost.length > 0 || overtaken.length > 0 || counted !== sent;
}

function show(seed: number, round: Round): void {
  const { sent, counted, lost, overtaken, repeated, stages, faults } = round;
  const figures = { sent, counted, lost: lost.length, overtaken: overtaken.length, repeated, stages };
  console.log(`seed ${seed}${isBroken(round) ? ' BROKEN' : ''}: ${JSON.stringify(figures)}`);
  if (!isBroken(round)) return;
  console.log(`  faults: ${faults.join(', ')}`);
  for (const { early, late } of overtaken.slice(0, SHOWN_MAX)) {
    console.log(`  ${late.user}: ${JSON.stringify(late)} came after ${JSON.stringify(early)}`);
  }
}
