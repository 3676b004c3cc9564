import { Controller } from '@nestjs/common';
import {
  AppError,
  type DestinationDefinition,
  GetTestRun,
  identifiersOfUsers,
  ListDefinitions,
  ListTestRuns,
  notFound,
  PurgeRunnerUsers,
  type ReplyOf,
  type RequestOf,
  TestDestination,
} from '@weir/contracts';
import { destinationDefinitions } from '@weir/destinations';
import { Handles } from '@weir/messaging';
import { TestRunRepository } from './test-runs/test-run.repository.js';
import { TestService } from './tests/test.service.js';

/** Every request that this app answers. */
@Controller()
export class RunnerController {
  constructor(
    private readonly tests: TestService,
    private readonly runs: TestRunRepository,
  ) {}

  @Handles(TestDestination)
  test(request: RequestOf<typeof TestDestination>): Promise<ReplyOf<typeof TestDestination>> {
    return this.tests.test(request);
  }

  @Handles(ListTestRuns)
  async listRuns({
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
  async getRun({ workspaceId, id }: RequestOf<typeof GetTestRun>): Promise<ReplyOf<typeof GetTestRun>> {
    const run = await this.runs.find(workspaceId, id);
    if (!run) throw notFound('test run');
    return run;
  }

  /** Deletes the test runs that contain any of these users. Repeating an interrupted call does no harm. */
  @Handles(PurgeRunnerUsers)
  async purge({ workspaceId, users }: RequestOf<typeof PurgeRunnerUsers>): Promise<ReplyOf<typeof PurgeRunnerUsers>> {
    await this.runs.purge(workspaceId, identifiersOfUsers(users));
    return { done: true };
  }

  @Handles(ListDefinitions)
  async listDefinitions({ after }: RequestOf<typeof ListDefinitions>): Promise<ReplyOf<typeof ListDefinitions>> {
    return pageOfDefinitions(destinationDefinitions(), after);
  }
}

/** A definition with its schema takes a few KiB, so a page stays far below the message limit. */
const PAGE_SIZE = 50;

/** Returns one page sorted by name. `next` is the last name of the page if more definitions follow. */
export function pageOfDefinitions(
  sorted: DestinationDefinition[],
  after = '',
  size = PAGE_SIZE,
): ReplyOf<typeof ListDefinitions> {
  const rest = sorted.filter(({ name }) => name > after);
  const definitions = rest.slice(0, size);
  const last = definitions.at(-1);
  return { definitions, ...(last && rest.length > size && { next: last.name }) };
}
