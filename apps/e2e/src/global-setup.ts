import { launchStack, shareStack } from '@weir/local';

/** Starts one complete stack for all e2e files that use `sharedStack()`. */
export default async function startSharedStack(): Promise<void> {
  const stack = await launchStack({ opsPorts: true });
  shareStack(stack.address);
  Object.assign(globalThis, { weirSharedStack: stack });
}
