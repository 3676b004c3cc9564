import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { taskFact } from './task.audit.js';
import { abortTasks } from './task.repository.js';

/** Actor in the audit trail for tasks that end without a person's request. */
const ACTOR = 'weir';

@Injectable()
export class DeletionService {
  constructor(private readonly dataSource: DataSource) {}

  /** Idempotent: tasks that have ended keep their status. */
  abortDestination(workspaceId: string, destinationId: string): Promise<void> {
    return this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const ended = await abortTasks(sql, workspaceId, destinationId, 'the destination was deleted');
      const facts = ended.map((task) => taskFact(ACTOR, task));
      await appendToTrail(sql, workspaceId, facts);
    });
  }
}
