import { type LocalStack, removeStack } from '@weir/local';
import { logTails } from '@weir/testing';

/** State that the set-up and the reporter (`tools/plain-reporter.mjs`) left in this process. */
interface Left {
  weirSharedStack?: LocalStack;
  weirTestFailed?: boolean;
}

export default async function stopSharedStack(): Promise<void> {
  const { weirSharedStack: stack, weirTestFailed: failed } = globalThis as Left;
  if (!stack) return;
  if (failed) process.stderr.write(logTails(stack.address.dataDir));
  await removeStack(stack);
}
