import { Controller } from '@nestjs/common';
import { CheckSuppression, type ReplyOf, type RequestOf } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { SuppressionService } from './suppression.service.js';

@Controller()
export class SuppressionController {
  constructor(private readonly suppressions: SuppressionService) {}

  @Handles(CheckSuppression)
  async check({ userIds, ...source }: RequestOf<typeof CheckSuppression>): Promise<ReplyOf<typeof CheckSuppression>> {
    const passageOf = (userId: string) => ({ ...source, userId: userId.trim() });
    const isSuppressed = await this.suppressions.lookUp(userIds.map(passageOf));
    const suppressed = userIds.filter((userId) => isSuppressed(passageOf(userId)));
    const { workspaceId } = source;
    const deletedUntil = await this.suppressions.deletedUntil({ workspaceId, userIds });
    return { suppressed, deleted: [...deletedUntil].map(([userId, until]) => ({ userId, until })) };
  }
}
