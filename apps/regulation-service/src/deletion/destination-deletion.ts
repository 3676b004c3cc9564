import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, chunksOf, type DestinationRecord, type JsonObject } from '@weir/contracts';
import { type DeletionOutcome, type DestinationKind, destinationKind } from '@weir/destinations';
import { EgressByOwner } from '@weir/egress';
import { InventoryMirror } from '@weir/inventory';
import { allEnded } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import { BoundedOutbound } from './bounded-outbound.js';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { configMark } from './mended-destinations.js';
import { CANNOT_DELETE, outcomeOfError } from './task.rules.js';

/** How long a task waits for the current inventory before it is retried later. */
const INVENTORY_WAIT_MS = 2_000;

/** Concurrent calls to one destination: fast enough for thousands of users, and bearable for a small receiver. */
const CALLS_MAX = 4;

/**
 * Longest call for one deletion. Time for an object of some 50 GB. A vendor that makes Weir wait in many small steps is not waited for any
 * longer.
 */
const CALL_MS_MAX = 3_600_000;
const TOO_LONG = `it took longer than ${CALL_MS_MAX / 60_000} minutes`;

/** Target of a deletion, as it is configured now. */
interface Place {
  /** Undefined if this version does not know the kind. */
  kind: DestinationKind | undefined;
  config: JsonObject;
}

/** Deletes users at destinations, each in the way of its kind. */
@Injectable()
export class DestinationDeletion implements DeletionWork {
  /** Replaced in tests. */
  kindOf: (type: string) => DestinationKind | undefined = destinationKind;
  /** Shorter in tests. */
  callMsMax = CALL_MS_MAX;

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly sealer: Sealer,
    private readonly egress: EgressByOwner,
  ) {}

  /** A kind that takes many users at once gets one call at a time, because a call may scan everything. */
  batchMax(destinationId: string): number {
    const usersMax = this.usersMax(destinationId);
    return usersMax > 1 ? usersMax : CALLS_MAX;
  }

  async run(tasks: readonly DeletionTask[], log: WorkLog, turn: AbortSignal): Promise<void> {
    await this.inventory.catchUp(INVENTORY_WAIT_MS);
    const destinationId = tasks[0]?.destinationId ?? '';
    const destination = this.inventory.destination(destinationId);
    const mark = destination && configMark(destination);
    const marked: WorkLog = { ...log, tell: (told, outcome) => log.tell(told, outcome, mark) };
    const forwarded = tasks.filter(({ jobReference }) => jobReference !== null);
    const open = tasks.filter(({ jobReference }) => jobReference === null);
    await allEnded(groupsOf(forwarded, ({ jobReference }) => jobReference).map((group) => this.check(group, marked)));
    // Runs one group after the other. Each may be a scan, and two scans at once would disturb each other.
    for (const group of groupsOf(open, ({ progress }) => progress)) {
      const chunks = chunksOf(group, { itemsMax: this.usersMax(destinationId) });
      await allEnded(chunks.map((chunk) => this.eraseAll(chunk, marked, turn)));
      if (turn.aborted) return;
    }
  }

  private usersMax(destinationId: string): number {
    const type = this.inventory.destination(destinationId)?.type;
    return (type !== undefined && this.kindOf(type)?.deletion?.usersMax) || 1;
  }

  /** If a call for several users was refused, tries each alone, because one user may have spoilt the call. */
  private async eraseAll(tasks: DeletionTask[], log: WorkLog, turn: AbortSignal): Promise<void> {
    const outcome = await this.erase(tasks, log, turn).catch(outcomeOfError);
    if (!outcome) return;
    const isWorthSplitting = outcome.status === 'aborted' && outcome.tryAlone && tasks.length > 1;
    if (!isWorthSplitting) return log.tell(tasks, outcome);
    for (const task of tasks) {
      const alone = await this.erase([task], log, turn).catch(outcomeOfError);
      if (alone) await log.tell([task], alone);
      if (turn.aborted) return;
    }
  }

  /** Undefined if the turn ended before the deletion. */
  private async erase(tasks: DeletionTask[], log: WorkLog, turn: AbortSignal): Promise<DeletionOutcome | undefined> {
    const [first] = tasks;
    const place = first && this.placeOf(first);
    if (!place) return { status: 'aborted', reason: 'the destination was deleted' };
    const { kind, config } = place;
    if (!kind?.deletion) return { status: 'not_supported', reason: CANNOT_DELETE };
    const { regulationId, destinationId, workspaceId } = first;
    const users = tasks.map(({ user }) => user);
    const progress = { reached: first.progress, keep: (reached: string) => log.keep(tasks, reached) };
    const idempotencyKey = idempotencyKeyOf(tasks);
    const request = { regulationId, destinationId, config, users, idempotencyKey, progress, turn };
    const outbound = new BoundedOutbound(this.egress.of(workspaceId), this.callMsMax);
    try {
      return await kind.deletion.delete(request, outbound);
    } catch (error) {
      if (outbound.isOver) return { status: 'failed', reason: TOO_LONG };
      throw error;
    } finally {
      outbound.close();
    }
  }

  /** All tasks share one job reference, because one call took them. */
  private async check(tasks: DeletionTask[], log: WorkLog): Promise<void> {
    await log.tell(tasks, await this.outcomeAt(tasks).catch(outcomeOfError));
  }

  private async outcomeAt([first]: DeletionTask[]): Promise<DeletionOutcome> {
    const jobReference = first?.jobReference ?? '';
    const place = first && this.placeOf(first);
    if (!first || !place?.kind?.deletion?.status)
      return { status: 'failed', reason: 'its outcome can no longer be requested' };
    return place.kind.deletion.status({ config: place.config, jobReference }, this.egress.of(first.workspaceId));
  }

  /** Undefined if the destination does not exist or belongs to another workspace. */
  private placeOf({ destinationId, workspaceId }: DeletionTask): Place | undefined {
    const destination = this.inventory.destination(destinationId);
    if (destination?.workspaceId !== workspaceId) return undefined;
    return { kind: this.kindOf(destination.type), config: this.configOf(destination) };
  }

  private configOf(destination: DestinationRecord): JsonObject {
    try {
      return this.sealer.open(destination.sealedConfig, destinationAad(destination));
    } catch (cause) {
      throw new AppError('internal', 'the configuration cannot be opened', undefined, { cause });
    }
  }
}

/** Identical for the same users at the same destination, at every attempt. */
function idempotencyKeyOf(tasks: readonly DeletionTask[]): string {
  const ids = tasks.map(({ regulationId }) => regulationId).sort();
  return createHash('sha256')
    .update(JSON.stringify([tasks[0]?.destinationId, ids]))
    .digest('base64url');
}

const groupsOf = <T, K>(items: readonly T[], key: (item: T) => K): T[][] => [...Map.groupBy(items, key).values()];
