import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { destinationKind } from '@weir/destinations';
import type { Egress } from '@weir/egress';
import { inTraceOf, type Lease } from '@weir/messaging';
import type { CodeRunner } from '../code/code-runner.js';
import { eventMetadata } from '../code/event-metadata.js';
import { type UserOutcome, userStage } from '../stages/user-stage.js';
import { untilItWorks } from './backoff.js';
import { Breaker } from './breaker.js';
import { DeliveryPull, type DeliveryPullParts } from './delivery-pull.js';
import { type DestinationPart, laneOf } from './delivery-unit.js';
import { DestinationSender } from './destination-sender.js';
import type { HeldBatch, HeldPart } from './held-batch.js';
import { Lanes } from './lanes.js';
import type { ReleaseTable } from './release-table.js';
import { Slots } from './slots.js';
import type { TrialReports } from './trial-reports.js';
import { UnitDelivery, type UnitDeliveryParts } from './unit-delivery.js';
import type { UsedVersions } from './used-versions.js';

export interface DestinationWorkerParts extends UnitDeliveryParts, DeliveryPullParts {
  releases: ReleaseTable;
  code: CodeRunner;
  usedVersions: UsedVersions;
  trials: TrialReports;
  /** A client for one destination of a workspace: one that hangs cannot use up another's connections to the same host. */
  newEgress: (workspaceId: string) => Egress;
}

/** Deliveries to one destination at a time; a kind that gathers payloads gets as many more as it gathers. */
const CONCURRENCY_MAX = 16;
/** One run of code: what it has made is sent while the next one goes on, and is not lost when that fails. */
const TRANSFORMED_AT_ONCE_MAX = 100;
/** Attempts that are under way may finish for so long; then their events are left to the next owner. */
const STOP_WAIT_MS = 3_000;

/** Delivers what waits for one destination: in order per user, side by side otherwise, and to nobody else's cost. */
export class DestinationWorker {
  private readonly logger = new Logger(DestinationWorker.name);
  private readonly lanes = new Lanes();
  private readonly stopping = new AbortController();
  private readonly egress: Egress;
  private readonly sender: DestinationSender;
  private readonly pull: DeliveryPull;
  private readonly delivery: UnitDelivery;
  private readonly running = new Set<Promise<void>>();
  private readonly finished: Promise<unknown>;
  private readonly arrived: HeldBatch[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly destinationId: string,
    private readonly parts: DestinationWorkerParts,
    lease: Lease,
  ) {
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    this.egress = parts.newEgress(parts.inventory.destination(destinationId)?.workspaceId ?? '');
    this.sender = new DestinationSender(this.egress, lease);
    const line = { sender: this.sender, breaker: new Breaker(), slots: new Slots(this.concurrency), lease, signal };
    this.delivery = new UnitDelivery(parts, line);
    this.pull = new DeliveryPull(destinationId, parts, { lease, signal, onBatch: (held) => this.arrive(held) });
    this.finished = Promise.all([this.pull.run(), this.transform()]);
    void parts.outcomes.began(destinationId);
  }

  /** Nothing is acknowledged that is not done: the next owner begins with it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([Promise.all([this.finished, ...this.running]), waited]);
    await this.pull.release();
    void this.sender.close().then(() => this.egress.close());
  }

  /** After a reconnect to the broker. */
  pullAgain(): void {
    this.pull.again();
  }

  private get concurrency(): number {
    const type = this.parts.inventory.destination(this.destinationId)?.type ?? '';
    return CONCURRENCY_MAX + (destinationKind(type)?.batching?.payloadsMax ?? 0);
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
    const open = arrived.flatMap((held) => held.open.map((event) => ({ held, ...event })));
    for (let from = 0; from < open.length; from += TRANSFORMED_AT_ONCE_MAX) {
      const events = open.slice(from, from + TRANSFORMED_AT_ONCE_MAX);
      const outcomes = await untilItWorks(() => this.runCode(events), {
        signal: this.stopping.signal,
        onFailure: (error) => this.logger.warn(`code for ${this.destinationId} cannot be run: ${error.message}`),
      });
      for (const [n, { held, part, index }] of events.entries()) {
        this.enqueue(held, part, index, outcomes[n] ?? { status: 'unlinked' });
      }
    }
  }

  private async runCode(open: { part: HeldPart; index: number }[]): Promise<UserOutcome[]> {
    await this.parts.releases.loaded;
    const { inventory, releases, code, usedVersions, trials } = this.parts;
    const destination = inventory.destination(this.destinationId);
    const inputs = open.map(({ part: { part }, index }) => {
      const message = part.events[index] ?? {};
      return { message, metadata: destination ? eventMetadata(message, { ...part, destination }) : {} };
    });
    // a destination that takes nothing needs no code: its events are dropped when their turn comes
    const release = destination?.enabled ? releases.get(this.destinationId) : undefined;
    const allowFetch = inventory.allowsFetch(destination?.workspaceId ?? '');
    const outcomes = await code.run(release, inputs, { mode: 'live', allowFetch });
    if (release) usedVersions.note(release);
    if (release?.onTrial) trials.count(release, outcomes);
    return outcomes;
  }

  private enqueue(held: HeldBatch, heldPart: HeldPart, index: number, outcome: UserOutcome): void {
    const { part } = heldPart;
    const work = this.lanes
      .add(laneOf(part, index), () => inTraceOf(held.message, () => this.deliver(part, index, outcome)))
      .then(() => this.pull.done(held, heldPart, index))
      .catch((error: Error) => this.leave(error));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async deliver(part: DestinationPart, index: number, outcome: UserOutcome): Promise<void> {
    const { outcomes } = this.parts;
    const original = part.events[index] ?? {};
    const after = userStage(original, outcome);
    if (after.status === 'dropped') return this.delivery.drop({ part, index, event: original });
    if (after.status === 'failed') {
      const failure = { stage: 'user_transform' as const, reason: after.reason, attempts: 1 };
      return this.delivery.bury({ part, index, event: original }, failure);
    }
    if (after.status === 'passed') outcomes.count(part, 'transformed', after.events.length);
    const only = part.replay?.output;
    for (const [output, event] of after.events.entries()) {
      if (only === undefined || only === output) await this.delivery.deliver({ part, index, output, event });
    }
  }

  /** Being stopped is the one reason to leave an event to the next owner. */
  private leave(error: Error): void {
    if (!this.isStopped) this.logger.error(`an event waits for the next owner: ${error.stack ?? error.message}`);
  }
}
