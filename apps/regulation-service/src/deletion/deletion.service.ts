import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { taskFact } from './task.audit.js';
import { abortTasks } from './task.repository.js';

/** Who stands in the audit trail when a task ends without a person asking for it. */
const ACTOR = 'weir';

@Injectable()
export class DeletionService {
  constructor(private readonly dataSource: DataSource) {}

  /** Idempotent: what has ended stays as it ended. */
  abortDestination(workspaceId: string, destinationId: string): Promise<void> {
    return this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const ended = await abortTasks(sql, workspaceId, destinationId, 'the destination was deleted');
      const facts = ended.map((task) => taskFact(ACTOR, task));
      await appendToTrail(sql, workspaceId, facts);
    });
  }
}
