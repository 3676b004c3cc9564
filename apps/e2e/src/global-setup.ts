import { launchStack, shareStack } from '@weir/local';

/** As in the chart's values-small.yaml. Code that holds one connection and waits for a second one would stop here. */
const POOLS = { DATABASE_POOL_MAX: '3' };

/** Starts one complete stack for all e2e files that use `sharedStack()`. */
export default async function startSharedStack(): Promise<void> {
  const stack = await launchStack({ opsPorts: true, env: POOLS });
  shareStack(stack.address);
  Object.assign(globalThis, { weirSharedStack: stack });
}
