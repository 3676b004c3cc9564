import { Controller } from '@nestjs/common';
import { PurgeRunnerUsers, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { DeadLetterRepository } from '../dead-letters/dead-letter.repository.js';
import { matchKeysOfUsers } from '../dead-letters/match-keys.js';

@Controller()
export class PurgeController {
  constructor(private readonly deadLetters: DeadLetterRepository) {}

  /** Removes what this service keeps of users: their dead letters. */
  @Handles(PurgeRunnerUsers)
  async purge({ workspaceId, users }: RequestOf<typeof PurgeRunnerUsers>): Promise<ReplyOf<typeof PurgeRunnerUsers>> {
    await this.deadLetters.purge(workspaceId, matchKeysOfUsers(users));
    return {};
  }
}
