import { launchStack, shareStack } from '@weir/testing';

/** One whole stack for every e2e file that uses `sharedStack()`. */
export default async function startSharedStack(): Promise<void> {
  const stack = await launchStack({ opsPorts: true });
  shareStack(stack.address);
  Object.assign(globalThis, { weirSharedStack: stack });
}
