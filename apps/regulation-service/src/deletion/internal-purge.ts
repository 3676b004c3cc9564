import { Injectable } from '@nestjs/common';
import { RpcClient } from '@weir/messaging';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { INTERNAL_PURGES, isInternal } from './internal.js';

/** Users of the largest size allowed still fit one message. */
const USERS_MAX = 50;

/** Removes what Weir itself keeps of users, by asking the service that keeps it. */
@Injectable()
export class InternalPurge implements DeletionWork {
  constructor(private readonly rpc: RpcClient) {}

  batchMax(): number {
    return USERS_MAX;
  }

  async run(tasks: readonly DeletionTask[], log: WorkLog): Promise<void> {
    const [first] = tasks;
    if (!first || !isInternal(first.destinationId)) throw new Error('not an internal task');
    const users = tasks.map(({ user }) => user);
    await this.rpc.send(INTERNAL_PURGES[first.destinationId], { workspaceId: first.workspaceId, users });
    await log.tell(tasks, { status: 'complete' });
  }
}
