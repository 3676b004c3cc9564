import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { RpcClient } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { INTERNAL_PURGES, isInternal } from './task.rules.js';

/** Tasks claimed together, so that few walks look for their users. */
const USERS_MAX = 500;
/** The users of one walk fit one message. */
const BOUNDS = {
  bytesMax: 524_288,
  bytesOf: ({ user }: DeletionTask) => Buffer.byteLength(JSON.stringify(user)),
};

/** Removes the data that Weir itself keeps of users. Calls the service that keeps it until the purge is done. */
@Injectable()
export class InternalPurge implements DeletionWork {
  constructor(
    private readonly rpc: RpcClient,
    private readonly dataSource: Database,
  ) {}

  batchMax(): number {
    return USERS_MAX;
  }

  /** Tasks of one walk store its name as their progress. In the next turn or after a kill, it continues with the same users. */
  async run(tasks: readonly DeletionTask[], log: WorkLog, turn: AbortSignal): Promise<void> {
    for (const [purgeId, group] of Map.groupBy(tasks, ({ progress }) => progress)) {
      for (const walk of purgeId === undefined ? chunksOf(group, BOUNDS) : [group]) {
        await this.purge(walk, purgeId ?? (await begun(walk, log)), log, turn);
        if (turn.aborted) return;
      }
    }
  }

  private async purge(tasks: DeletionTask[], purgeId: string, log: WorkLog, turn: AbortSignal): Promise<void> {
    const [first] = tasks;
    if (!first || !isInternal(first.destinationId)) throw new Error('not an internal task');
    const users = tasks.map(({ user }) => user);
    const request = { workspaceId: first.workspaceId, users, purgeId, fence: await this.epochs() };
    let unreadable = 0;
    for (const call of INTERNAL_PURGES[first.destinationId]) {
      for (let done = false; !done; ) {
        const reply = await this.rpc.send(call, request);
        done = reply.done;
        unreadable += reply.unreadable ?? 0;
        if (!done && turn.aborted) return;
      }
    }
    await log.tell(tasks, unreadable > 0 ? unreadableOutcome(unreadable) : { status: 'complete' });
  }

  /**
   * Epochs by partition. The filter has passed every earlier message on by now, in a later epoch than any attempt that still
   * hangs.
   */
  private async epochs(): Promise<number[]> {
    const { rows } = await this.dataSource.run<{ epoch: number }>(
      `SELECT epoch::float8 AS epoch FROM leases WHERE role = 'filter' ORDER BY slot`,
    );
    return rows.map(({ epoch }) => epoch);
  }
}

const unreadableOutcome = (unreadable: number): DeletionOutcome => ({
  status: 'aborted',
  reason: `${unreadable} segments of the archive cannot be read. Everything else is clean`,
});

/** Names a walk, and stores its name. */
async function begun(tasks: DeletionTask[], log: WorkLog): Promise<string> {
  const purgeId = randomUUID();
  await log.keep(tasks, purgeId);
  return purgeId;
}
