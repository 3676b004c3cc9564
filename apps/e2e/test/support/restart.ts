import type { ProcessName } from '@weir/contracts';
import type { LocalStack } from '@weir/local';
import { until } from '@weir/testing';

/** A process ends within 12 s. The rest is room for a busy machine. */
const RESTART_MS = 120_000;

/** Sends SIGTERM as a platform does. The launcher starts the process again, from the files that are there then. */
export async function restart(stack: LocalStack, name: ProcessName, replica: number): Promise<void> {
  const program = replica === 0 ? name : `${name}-${replica + 1}`;
  const pidOf = () => stack.programs().find((one) => one.name === program)?.pid;
  const before = pidOf();
  stack.signal(name, 'SIGTERM', replica);
  await until(`${program} to be gone`, () => pidOf() !== before, RESTART_MS);
  await stack.untilReady(name, replica);
}
