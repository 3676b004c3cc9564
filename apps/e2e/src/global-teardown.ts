import type { LocalStack } from '@weir/local';
import { removeStack } from '@weir/testing';

export default async function stopSharedStack(): Promise<void> {
  const { weirSharedStack } = globalThis as { weirSharedStack?: LocalStack };
  if (weirSharedStack) await removeStack(weirSharedStack);
}
