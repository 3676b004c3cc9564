import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  CountDeliveries,
  GetDelivery,
  GetTrace,
  identifiersOfUsers,
  ListDeliveries,
  ListDeliveryHours,
  ListTraces,
  ListUsedVersions,
  notFound,
  PurgeDeliveryUsers,
  ReplayDeliveries,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import { ArchivePurgeRepository } from '../archive/archive-purge.repository.js';
import { PurgeFence } from '../checks/purge-fence.js';
import { UsedRevisionRepository } from '../code/used-revisions.js';
import type { Config } from '../config.js';
import { DeadLetterPurge } from '../dead-letters/dead-letter-purge.js';
import { DeliveryCountRepository } from '../outcomes/delivery-counts.js';
import { ReplayRepository } from '../replays/replay.repository.js';
import { ReplayRequests } from '../replays/replay-requests.js';
import { TraceRepository } from '../traces/trace.repository.js';
import { TraceReader } from '../traces/trace-reader.js';
import { identifierKeyOf } from '../units/match-keys.js';
import { DeliveryListRepository } from './delivery-list.repository.js';

/** Shorter than the caller waits. */
const PURGE_WAIT_MS = 5_000;
/** Many purges may wait at once, and each takes seconds at least. */
const PURGE_POLL_MS = 1_000;

/** Every request about deliveries. */
@Controller()
export class DeliveryController {
  constructor(
    private readonly deliveries: DeliveryListRepository,
    private readonly counts: DeliveryCountRepository,
    private readonly replays: ReplayRepository,
    private readonly replayRequests: ReplayRequests,
    private readonly fence: PurgeFence,
    private readonly deadLetters: DeadLetterPurge,
    private readonly usedRevisions: UsedRevisionRepository,
    private readonly traces: TraceReader,
    private readonly traceRows: TraceRepository,
    private readonly archivePurges: ArchivePurgeRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(ListDeliveries)
  list({ workspaceId, cursor, ...filter }: RequestOf<typeof ListDeliveries>): Promise<ReplyOf<typeof ListDeliveries>> {
    return this.deliveries.list(workspaceId, filter, cursor);
  }

  @Handles(GetDelivery)
  async get({ workspaceId, id }: RequestOf<typeof GetDelivery>): Promise<ReplyOf<typeof GetDelivery>> {
    const found = await this.deliveries.find(workspaceId, id);
    if (!found) throw notFound('delivery');
    return found;
  }

  @Handles(CountDeliveries)
  count({ workspaceId, ...filter }: RequestOf<typeof CountDeliveries>): Promise<ReplyOf<typeof CountDeliveries>> {
    return this.counts.list(workspaceId, filter);
  }

  @Handles(ListDeliveryHours)
  async hours({
    workspaceId,
    hours,
    destinationId,
  }: RequestOf<typeof ListDeliveryHours>): Promise<ReplyOf<typeof ListDeliveryHours>> {
    return { hours: await this.counts.hours(workspaceId, hours, destinationId) };
  }

  @Handles(ReplayDeliveries)
  replay({
    workspaceId,
    dryRun,
    selection,
  }: RequestOf<typeof ReplayDeliveries>): Promise<ReplyOf<typeof ReplayDeliveries>> {
    return dryRun ? this.replays.plan(workspaceId, selection) : this.replayRequests.request(workspaceId, selection);
  }

  @Handles(ListUsedVersions)
  async listUsedVersions({
    workspaceId,
    destinationId,
  }: RequestOf<typeof ListUsedVersions>): Promise<ReplyOf<typeof ListUsedVersions>> {
    return { deliverers: await this.usedRevisions.list(workspaceId, destinationId) };
  }

  @Handles(GetTrace)
  async trace({ workspaceId, messageId }: RequestOf<typeof GetTrace>): Promise<ReplyOf<typeof GetTrace>> {
    const trace = await this.traces.find(workspaceId, messageId);
    if (!trace) throw notFound('trace');
    return { trace };
  }

  @Handles(ListTraces)
  listTraces({ workspaceId, userId, cursor }: RequestOf<typeof ListTraces>): Promise<ReplyOf<typeof ListTraces>> {
    return this.traces.ofUser(workspaceId, userId, cursor);
  }

  /**
   * Deletes the dead letters, traces and archived events of any of these users. Repeating an interrupted call does no harm. An archiver
   * rewrites the archive, and the caller repeats the call until it has.
   */
  @Handles(PurgeDeliveryUsers)
  async purge({
    workspaceId,
    users,
    purgeId,
  }: RequestOf<typeof PurgeDeliveryUsers>): Promise<ReplyOf<typeof PurgeDeliveryUsers>> {
    const identifiers = identifiersOfUsers(users);
    const keys = identifiers.map(identifierKeyOf);
    await this.fence.raise(workspaceId, keys);
    await this.deadLetters.purge(workspaceId, identifiers);
    await this.traceRows.purge(workspaceId, keys);
    if (this.config.hasArchive) return this.purgeArchive(workspaceId, identifiers, purgeId);
    await this.archivePurges.forget(workspaceId, identifiers, purgeId);
    return { done: true };
  }

  /** Waits a while, so that callers do not repeat at once. Throws `unavailable` if no archiver gets on with it. */
  private async purgeArchive(
    workspaceId: string,
    identifiers: string[],
    purgeId?: string,
  ): Promise<ReplyOf<typeof PurgeDeliveryUsers>> {
    const id = await this.archivePurges.ask(workspaceId, identifiers, purgeId);
    const end = performance.now() + PURGE_WAIT_MS;
    for (;;) {
      const { isDone, isStuck, unreadable } = await this.archivePurges.stateOf(id);
      if (isDone) return { done: true, ...(unreadable > 0 && { unreadable }) };
      if (isStuck) throw new AppError('unavailable', 'The archive cannot be rewritten now');
      if (performance.now() > end) return { done: false };
      await sleep(PURGE_POLL_MS);
    }
  }
}
