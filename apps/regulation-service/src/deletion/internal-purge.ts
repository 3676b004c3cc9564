import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RpcClient } from '@weir/messaging';
import { DataSource } from 'typeorm';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { INTERNAL_PURGES, isInternal } from './internal.js';

/** Tasks claimed together, so that few walks look for their users. */
const USERS_MAX = 500;
/** Bytes of the users of one walk, so that they fit one message. */
const USERS_BYTES_MAX = 524_288;

/** Removes the data that Weir itself keeps of users. Calls the service that keeps it until the purge is done. */
@Injectable()
export class InternalPurge implements DeletionWork {
  constructor(
    private readonly rpc: RpcClient,
    private readonly dataSource: DataSource,
  ) {}

  batchMax(): number {
    return USERS_MAX;
  }

  /** Tasks of one walk store its name as their progress. After a kill, the walk continues with the same users. */
  async run(tasks: readonly DeletionTask[], log: WorkLog): Promise<void> {
    for (const [purgeId, group] of Map.groupBy(tasks, ({ progress }) => progress)) {
      if (purgeId !== undefined) await this.purge(group, purgeId, log);
      else for (const chunk of chunksOf(group)) await this.begin(chunk, log);
    }
  }

  private async begin(tasks: DeletionTask[], log: WorkLog): Promise<void> {
    const purgeId = randomUUID();
    await log.keep(tasks, purgeId);
    await this.purge(tasks, purgeId, log);
  }

  private async purge(tasks: DeletionTask[], purgeId: string, log: WorkLog): Promise<void> {
    const [first] = tasks;
    if (!first || !isInternal(first.destinationId)) throw new Error('not an internal task');
    const users = tasks.map(({ user }) => user);
    const request = { workspaceId: first.workspaceId, users, purgeId, fence: await this.epochs() };
    for (let done = false; !done; ) ({ done } = await this.rpc.send(INTERNAL_PURGES[first.destinationId], request));
    await log.tell(tasks, { status: 'complete' });
  }

  /**
   * Epochs by partition. The filter has passed every earlier message on by now, in a later epoch than any attempt that still
   * hangs.
   */
  private async epochs(): Promise<number[]> {
    const rows = await this.dataSource.query<{ epoch: number }[]>(
      `SELECT epoch::float8 AS epoch FROM leases WHERE role = 'filter' ORDER BY slot`,
    );
    return rows.map(({ epoch }) => epoch);
  }
}

/** Each chunk has at least one user. */
function chunksOf(tasks: readonly DeletionTask[]): DeletionTask[][] {
  const chunks: DeletionTask[][] = [];
  let bytes = 0;
  for (const task of tasks) {
    const more = Buffer.byteLength(JSON.stringify(task.user));
    if (chunks.length === 0 || bytes + more > USERS_BYTES_MAX) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(task);
    bytes += more;
  }
  return chunks;
}
