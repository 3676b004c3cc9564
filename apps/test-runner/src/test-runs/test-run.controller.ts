import { Controller } from '@nestjs/common';
import { AppError, GetTestRun, ListTestRuns, notFound, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { TestRunRepository } from './test-run.repository.js';

@Controller()
export class TestRunController {
  constructor(private readonly runs: TestRunRepository) {}

  @Handles(ListTestRuns)
  async list({
    workspaceId,
    cursor,
    ...filter
  }: RequestOf<typeof ListTestRuns>): Promise<ReplyOf<typeof ListTestRuns>> {
    if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
      throw new AppError('invalid', 'after_cursor must come from paging.next of the page before');
    }
    return this.runs.list(workspaceId, filter, cursor);
  }

  @Handles(GetTestRun)
  async get({ workspaceId, id }: RequestOf<typeof GetTestRun>): Promise<ReplyOf<typeof GetTestRun>> {
    const run = await this.runs.find(workspaceId, id);
    if (!run) throw notFound('test run');
    return run;
  }
}
