import { randomUUID } from 'node:crypto';
import { Controller, Injectable, Module } from '@nestjs/common';
import {
  AppError,
  type JsonObject,
  normalizeUserId,
  PurgeSchemaUsers,
  type ReplyOf,
  type RequestOf,
  writtenForms,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { UserKeys } from '../secrets/user-keys.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { LetterPurge } from './letter-purge.js';
import { ModelPurge, ModelPurgeRepository, type PurgedModels } from './model-purge.js';
import { type Purge, PurgeRepository } from './purge.repository.js';
import { UserTraces } from './traces.js';

/** How long one call works. This is far below the call's deadline, so that the caller always learns the progress. */
const CALL_MS = 5_000;

type Request = RequestOf<typeof PurgeSchemaUsers>;

/**
 * Removes what samples, frequent values and dead letters keep of users. Totals and schemas stay. One walk looks for all users of
 * a request. It continues where it stopped, after a call ran out of time or a process was killed.
 */
@Injectable()
export class PurgeService {
  /** Shorter in tests. */
  callMs = CALL_MS;

  constructor(
    private readonly keys: UserKeys,
    private readonly purges: PurgeRepository,
    private readonly models: ModelPurge,
    private readonly letters: LetterPurge,
  ) {}

  /** Returns whether nothing is left of the users. */
  async purge(request: Request): Promise<boolean> {
    const { workspaceId, users, fence = [], purgeId } = request;
    const userKeys = users.flatMap(idsOf).flatMap((id) => this.keys.userKeys(workspaceId, id));
    const begun = await this.purges.begin({ name: this.nameOf(request), userKeys, fence });
    const traces = new UserTraces(users, userKeys);
    const endAt = purgeId === undefined ? Number.POSITIVE_INFINITY : performance.now() + this.callMs;
    return this.walk(begun, workspaceId, traces, endAt);
  }

  private async walk(purge: Purge, workspaceId: string, traces: UserTraces, endAt: number): Promise<boolean> {
    if (purge.done) return true;
    let { modelPosition, letterPosition }: { modelPosition: string | undefined; letterPosition: number | undefined } =
      purge;
    while (modelPosition !== undefined) {
      const { last, failed }: PurgedModels = await this.models.purgeSome(workspaceId, traces, modelPosition, endAt);
      modelPosition = last;
      if (modelPosition === undefined) break;
      await this.purges.keepModelPosition(purge.name, modelPosition, failed);
      if (performance.now() >= endAt) return false;
    }
    while (letterPosition !== undefined) {
      letterPosition = await this.letters.purgeSome(workspaceId, traces, letterPosition);
      if (letterPosition === undefined) break;
      await this.purges.keepLetterPosition(purge.name, letterPosition);
      if (performance.now() >= endAt) return false;
    }
    if (!(await this.comeBack(purge.name, traces, endAt))) return false;
    await this.purges.end(purge.name);
    return true;
  }

  /**
   * Purges the models that failed in the walk, and returns whether none is left. Fails if one still does. The caller shows that, and tries
   * again later.
   */
  private async comeBack(name: string, traces: UserTraces, endAt: number): Promise<boolean> {
    const known = await this.purges.failedModels(name);
    const { purged, failed } = await this.models.purgeEach(known, traces, endAt);
    if (purged.length > 0) await this.purges.forgetFailed(name, purged);
    if (failed.length > 0) throw new AppError('internal', stillFailing(known.length - purged.length));
    return purged.length === known.length;
  }

  /** Names the purge by its deletion and its users. Another set of users needs a walk from the beginning. */
  private nameOf({ workspaceId, users, purgeId }: Request): string {
    const sorted = users.map((user) => JSON.stringify(Object.entries(user).sort())).sort();
    return this.keys.name(purgeId ?? randomUUID(), workspaceId, ...sorted);
  }
}

const stillFailing = (models: number) => `Event models that cannot be cleaned now: ${models}. Everything else is clean`;

/** The user's id in every form that events may use (spec 4.2 rule 4). */
function idsOf({ userId }: JsonObject): string[] {
  const id = normalizeUserId(userId);
  return id === undefined ? [] : writtenForms(id);
}

@Controller()
class PurgeController {
  constructor(private readonly service: PurgeService) {}

  @Handles(PurgeSchemaUsers)
  async purge(request: RequestOf<typeof PurgeSchemaUsers>): Promise<ReplyOf<typeof PurgeSchemaUsers>> {
    return { done: await this.service.purge(request) };
  }
}

@Module({
  imports: [StatisticsModule],
  controllers: [PurgeController],
  providers: [PurgeService, ModelPurge, LetterPurge, PurgeRepository, ModelPurgeRepository],
})
export class PurgeModule {}
