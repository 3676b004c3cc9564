import { Injectable } from '@nestjs/common';
import { AppError, type DestinationRecord, type JsonObject } from '@weir/contracts';
import { type DeletionOutcome, destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { InventoryMirror } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { DeletionTask, DeletionWork } from './deletion-work.js';
import { outcomeOfError } from './failure.js';

/** How long a task waits for the inventory as it is now; afterwards it is tried again later. */
const INVENTORY_WAIT_MS = 2_000;

/** Calls to one destination at a time: quick enough for thousands of users, bearable for a small receiver. */
const CALLS_MAX = 4;

/** Asks destinations to forget users, each in the way of its kind. */
@Injectable()
export class DestinationDeletion implements DeletionWork {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly sealer: Sealer,
    private readonly egress: Egress,
  ) {}

  /** A kind that takes many users at once gets one call at a time: it may be a scan of everything. */
  batchMax(destinationId: string): number {
    const usersMax = this.usersMax(destinationId);
    return usersMax > 1 ? usersMax : CALLS_MAX;
  }

  async run(tasks: DeletionTask[]): Promise<DeletionOutcome[]> {
    await this.inventory.catchUp(INVENTORY_WAIT_MS);
    const usersMax = this.usersMax(tasks[0]?.destinationId ?? '');
    const calls = chunksOf(tasks, usersMax).map((chunk) => this.eraseAll(chunk));
    return (await Promise.all(calls)).flat();
  }

  private usersMax(destinationId: string): number {
    const type = this.inventory.destination(destinationId)?.type;
    return (type !== undefined && destinationKind(type)?.deletionUsersMax) || 1;
  }

  /** One outcome for each task. A call that was refused may hold one user who spoils it for the rest. */
  private async eraseAll(tasks: DeletionTask[]): Promise<DeletionOutcome[]> {
    const outcome = await this.erase(tasks).catch(outcomeOfError);
    const isWorthSplitting = outcome.status === 'aborted' && outcome.tryAlone && tasks.length > 1;
    if (!isWorthSplitting) return tasks.map(() => outcome);
    const outcomes: DeletionOutcome[] = [];
    for (const task of tasks) outcomes.push(await this.erase([task]).catch(outcomeOfError));
    return outcomes;
  }

  private async erase(tasks: DeletionTask[]): Promise<DeletionOutcome> {
    const [first] = tasks;
    const destination = first && this.inventory.destination(first.destinationId);
    if (!destination || destination.workspaceId !== first.workspaceId) {
      return { status: 'aborted', reason: 'the destination was deleted' };
    }
    const kind = destinationKind(destination.type);
    if (!kind?.delete) return { status: 'not_supported' };
    const { regulationId, destinationId } = first;
    const users = tasks.map(({ user }) => user);
    return kind.delete({ regulationId, destinationId, config: this.configOf(destination), users }, this.egress);
  }

  private configOf(destination: DestinationRecord): JsonObject {
    try {
      return this.sealer.open(destination.sealedConfig, destinationAad(destination));
    } catch (cause) {
      throw new AppError('internal', 'the configuration cannot be opened', undefined, { cause });
    }
  }
}

const chunksOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
