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
   * Deletes the dead letters and test runs that contain any of these users. Both are found by index. An interrupted call can
   * simply be repeated.
   */
  @Handles(PurgeRunnerUsers)
  async purge({ workspaceId, users }: RequestOf<typeof PurgeRunnerUsers>): Promise<ReplyOf<typeof PurgeRunnerUsers>> {
    const matchKeys = matchKeysOfUsers(users);
    await this.deadLetters.purge(workspaceId, matchKeys);
    await this.testRuns.purge(workspaceId, matchKeys);
    return { done: true };
  }
}
