import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { DeliveryBatch } from '@weir/contracts';
import type { Egress } from '@weir/egress';
import type { CodeRunner } from '../code/code-runner.js';
import { eventMetadata } from '../code/event-metadata.js';
import { type UserOutcome, userStage } from '../stages/user-stage.js';
import { untilItWorks } from './backoff.js';
import { DeliveryPull, type DeliveryPullParts, type HeldBatch } from './delivery-pull.js';
import { eventKeyOf, laneOf } from './delivery-unit.js';
import { Lanes } from './lanes.js';
import type { ReleaseTable } from './release-table.js';
import { Slots } from './slots.js';
import { UnitDelivery, type UnitDeliveryParts } from './unit-delivery.js';
import type { UsedVersions } from './used-versions.js';

export interface DestinationWorkerParts extends UnitDeliveryParts, DeliveryPullParts {
  releases: ReleaseTable;
  code: CodeRunner;
  usedVersions: UsedVersions;
  /** A client for one destination: one that hangs cannot use up another's connections to the same host. */
  newEgress: () => Egress;
}

/** Requests to one destination at a time. */
const CONCURRENCY_MAX = 16;
/** Attempts that are under way may finish for so long; then their events are left to the next owner. */
const STOP_WAIT_MS = 3_000;

/** Delivers what waits for one destination: in order per user, side by side otherwise, and to nobody else's cost. */
export class DestinationWorker {
  private readonly logger = new Logger(DestinationWorker.name);
  private readonly lanes = new Lanes();
  private readonly stopping = new AbortController();
  private readonly egress: Egress;
  private readonly pull: DeliveryPull;
  private readonly delivery: UnitDelivery;
  private readonly running = new Set<Promise<void>>();
  private readonly finished: Promise<unknown>;
  private readonly arrived: HeldBatch[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly destinationId: string,
    private readonly parts: DestinationWorkerParts,
  ) {
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    this.egress = parts.newEgress();
    this.delivery = new UnitDelivery(parts, { outbound: this.egress, slots: new Slots(CONCURRENCY_MAX), signal });
    this.pull = new DeliveryPull(destinationId, parts, { signal, onBatch: (held) => this.arrive(held) });
    this.finished = Promise.all([this.pull.run(), this.transform()]);
  }

  /** Nothing is acknowledged that is not done: the next owner begins with it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([Promise.all([this.finished, ...this.running]), waited]);
    this.pull.release();
    void this.egress.close();
  }

  /** After a reconnect to the broker. */
  pullAgain(): void {
    this.pull.again();
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private arrive(held: HeldBatch): void {
    this.arrived.push(held);
    this.wake();
  }

  private untilArrived(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.isStopped) resolve();
    });
  }

  /** User code runs over everything that has arrived, in order, while earlier events are being sent. */
  private async transform(): Promise<void> {
    while (!this.isStopped) {
      if (this.arrived.length === 0) await this.untilArrived();
      const arrived = this.arrived.splice(0);
      if (arrived.length > 0) await this.transformAll(arrived).catch((error: Error) => this.leave(error));
    }
  }

  private async transformAll(arrived: HeldBatch[]): Promise<void> {
    const outcomes = await untilItWorks(() => this.runCode(arrived.map(({ batch }) => batch)), {
      signal: this.stopping.signal,
      onFailure: (error) => this.logger.warn(`code for ${this.destinationId} cannot be run: ${error.message}`),
    });
    let next = 0;
    for (const held of arrived) {
      for (let index = 0; index < held.batch.events.length; index += 1) {
        this.enqueue(held, index, outcomes[next] ?? { status: 'unlinked' });
        next += 1;
      }
    }
  }

  private async runCode(batches: DeliveryBatch[]): Promise<UserOutcome[]> {
    await this.parts.releases.loaded;
    const { inventory, releases, code, usedVersions } = this.parts;
    const destination = inventory.destination(this.destinationId);
    const inputs = batches.flatMap(({ events, workspaceId, sourceId }) =>
      events.map((message) => ({
        message,
        metadata: destination ? eventMetadata(message, { workspaceId, sourceId, destination }) : {},
      })),
    );
    // a destination that takes nothing needs no code: its events are dropped when their turn comes
    const release = destination?.enabled ? releases.get(this.destinationId) : undefined;
    const outcomes = await code.run(release, inputs, 'live');
    if (release) usedVersions.note(release);
    return outcomes;
  }

  private enqueue(held: HeldBatch, index: number, outcome: UserOutcome): void {
    const work = this.lanes
      .add(laneOf(held.batch, index), () => this.deliver(held.batch, index, outcome))
      .then(() => this.pull.done(held))
      .catch((error: Error) => this.leave(error));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async deliver(batch: DeliveryBatch, index: number, outcome: UserOutcome): Promise<void> {
    const original = batch.events[index] ?? {};
    const after = userStage(original, outcome);
    if (after.status === 'dropped') return this.parts.metrics.count('dropped_by_code');
    if (after.status === 'failed') {
      const unit = { key: eventKeyOf(batch, index), batch, original, event: original };
      return this.delivery.bury(unit, { stage: 'user_transform', reason: after.reason, attempts: 1 });
    }
    for (const [output, event] of after.events.entries()) {
      await this.delivery.deliver({ key: eventKeyOf(batch, index, output), batch, original, event });
    }
  }

  /** Being stopped is the one reason to leave an event to the next owner. */
  private leave(error: Error): void {
    if (!this.isStopped) this.logger.error(`an event waits for the next owner: ${error.stack ?? error.message}`);
  }
}
