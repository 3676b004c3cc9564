import { Controller } from '@nestjs/common';
import { PurgeRunnerUsers, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { DeadLetterRepository } from '../dead-letters/dead-letter.repository.js';
import { matchKeysOfUsers } from '../dead-letters/match-keys.js';
import { TestRunRepository } from '../test-runs/test-run.repository.js';

@Controller()
export class PurgeController {
  constructor(
    private readonly deadLetters: DeadLetterRepository,
    private readonly testRuns: TestRunRepository,
  ) {}

  /**
   * Removes what this service keeps of users: their dead letters, and tests with their events. Both are found by index. A
   * call that is cut off goes on where it was, because what is removed is gone.
   */
  @Handles(PurgeRunnerUsers)
  async purge({ workspaceId, users }: RequestOf<typeof PurgeRunnerUsers>): Promise<ReplyOf<typeof PurgeRunnerUsers>> {
    const matchKeys = matchKeysOfUsers(users);
    await this.deadLetters.purge(workspaceId, matchKeys);
    await this.testRuns.purge(workspaceId, matchKeys);
    return { done: true };
  }
}
