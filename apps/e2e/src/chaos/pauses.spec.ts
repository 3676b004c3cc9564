import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { freeze, LONG, lengthOf } from './pauses.js';

const PAUSE_MS = 300;

/** `T` while it is stopped. */
const stateOf = (pid: number): string => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';

it('stops a program together with its children, and lets all go on', async () => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true });
  try {
    const [output] = await once(parent.stdout, 'data');
    const pids = [parent.pid ?? 0, Number(output)];
    const frozen = freeze([parent.pid ?? 0], PAUSE_MS);
    await until('both to stop', async () => pids.every((pid) => stateOf(pid) === 'T'));
    await frozen;
    await until('both to go on', async () => pids.every((pid) => stateOf(pid) !== 'T'));
  } finally {
    const closed = once(parent, 'close');
    process.kill(-(parent.pid ?? 0), 'SIGKILL');
    await closed;
  }
});

it('takes a length within the span', () => {
  expect([0, 0.5, 1].map((share) => lengthOf(LONG, () => share))).toEqual([16_000, 21_500, 60_000]);
});
