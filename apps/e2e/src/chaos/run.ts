import { mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchStack, removeStack } from '@weir/local';
import { check } from '../history/check.js';
import { CLOCK_FAULTS, Clocks } from './clocks.js';
import { DISK_FAULTS, Disks, SMALL_STREAMS } from './disks.js';
import { Links } from './links.js';
import { type Options, optionsOf } from './options.js';
import { type PlannedRound, roundsOf } from './plan.js';
import { randomOf } from './random.js';
import { now } from './recorder.js';
import { isBroken, Report, show } from './report.js';
import { perform, type Round } from './round.js';
import { Sink } from './sink.js';

const options = optionsOf(process.argv.slice(2));
if (options) await run(options);

async function run(options: Options): Promise<void> {
  const { faults, brokers, replicas, seeds, minutes, keep } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-chaos-'));
  const uses = (some: readonly string[]) => some.some((fault) => faults.includes(fault));
  const disks = uses(DISK_FAULTS) ? Disks.mount(dataDir) : undefined;
  // Gateways whose clocks differ do not agree when a suppression began (docs/evidence/README.md).
  const clocks = uses(CLOCK_FAULTS) && replicas === 1 ? Clocks.in(dataDir) : undefined;
  const links = new Links(randomOf(seeds[0]));
  const stack = await launchStack({
    ...{ brokers, replicas, dataDir, link: links.link },
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
    const patience = Number(process.env['WEIR_CHAOS_PATIENCE'] ?? 1);
    await playAll(options, (round) =>
      perform({ stack, sink, links, clocks, disks }, { ...round, minutes, histories, patience }, round.seed),
    );
  } catch (error) {
    process.exitCode = 1;
    throw error;
  } finally {
    await sink.close();
    const keepsData = keep && process.exitCode === 1;
    if (disks || keepsData) await stack.stop();
    else await removeStack(stack, true);
    links.close();
    if (!keepsData) disks?.unmount();
    if (disks && !keepsData) rmdirSync(dataDir);
  }
  if (!process.exitCode) rmSync(histories, { recursive: true });
}

type Perform = (round: PlannedRound) => Promise<{ verdict: Promise<Round> }>;

async function playAll(options: Options, performOne: Perform): Promise<void> {
  const report = new Report();
  const judged = new Map<string, number>();
  const end = now() + options.limitMinutes * 60_000;
  let telling = Promise.resolve();
  const tell = async (planned: PlannedRound, verdict: Promise<Round>) => {
    const round = await verdict;
    show(planned, round);
    report.add(planned, round);
    judged.set(round.file, round.violations.length);
    if (isBroken(round)) process.exitCode = 1;
  };
  for (const planned of roundsOf(options)) {
    if (now() > end) break;
    const { verdict } = await performOne(planned);
    await telling;
    telling = tell(planned, verdict);
    telling.catch(() => undefined); // it is awaited after the next round
  }
  await telling;
  judgeAgain(judged);
  report.print();
}

/** A delivery may come again after its round was judged. Each history has those of its own workspaces. */
function judgeAgain(judged: ReadonlyMap<string, number>): void {
  for (const [file, before] of judged) {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const { violations } = check(lines.map((line) => JSON.parse(line)));
    if (violations.length <= before) continue;
    process.exitCode = 1;
    console.log(`LATE in ${file}: ${violations.map(({ rule, says }) => `${rule}: ${says}`).join('; ')}`);
  }
}
