import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RpcClient } from '@weir/messaging';
import { DataSource } from 'typeorm';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { INTERNAL_PURGES, isInternal } from './internal.js';

/** Tasks that are taken together: their users are looked for in as few walks as possible. */
const USERS_MAX = 500;
/** Users of one walk: they fit one message, whatever they carry. */
const USERS_BYTES_MAX = 524_288;

/** Removes what Weir itself keeps of users, by asking the service that keeps it until it is done. */
@Injectable()
export class InternalPurge implements DeletionWork {
  constructor(
    private readonly rpc: RpcClient,
    private readonly dataSource: DataSource,
  ) {}

  batchMax(): number {
    return USERS_MAX;
  }

  /** Those of one walk have its name as their progress, also after a kill: with the same users the walk goes on. */
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

  /** By partition. Every message of before the deletion was passed on by now, in an epoch that is none of an earlier try. */
  private async epochs(): Promise<number[]> {
    const rows = await this.dataSource.query<{ epoch: number }[]>(
      `SELECT epoch::float8 AS epoch FROM leases WHERE role = 'filter' ORDER BY slot`,
    );
    return rows.map(({ epoch }) => epoch);
  }
}

/** At least one user each. */
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
