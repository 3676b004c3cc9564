import { Inject, Injectable, Logger } from '@nestjs/common';
import { LeaseLostError } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import { type AfterUserStage, CodeRunner } from '@weir/stages';
import type { DelivererConfig } from '../config.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { Traces } from '../traces/traces.js';
import type { DeliveryUnit, DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import { type Attempt, Attempts, type DeliveryContext, type Progress, type Step } from './attempts.js';
import { retryDelayMs, sleep, untilHeld } from './backoff.js';
import { Endings } from './endings.js';
import type { Rest } from './lanes.js';
import { NO_ROOM } from './overflow.js';

export type { DeliveryContext, SendingContext } from './attempts.js';

/** An event to deliver. Its content is in memory only while it is open. */
export interface HeldEvent extends DestinationRef {
  receivedAt: string;
  /** Its message takes long to read or send. */
  isLarge: boolean;
  /** Returns undefined if the stream no longer has the message. Rejects when stopped. */
  open(): Promise<OpenEvent | undefined>;
  /** False if nothing keeps the event for a later attempt. */
  mayWait(): boolean;
  /** Waits for a retry. */
  rest: Rest;
}

export interface OpenEvent {
  part: DestinationPart;
  index: number;
  /** The result of user code. Code does not run for an event that its client does not want here. */
  after: AfterUserStage | { status: 'unwanted' };
  /** The version of user code that ran, if there is any. */
  versionId?: string | undefined;
  /** Must be called when the content is no longer used. */
  close(): void;
}

const CODE_FAILED = 'The user code of this destination failed for the event';
const UNWANTED = "The event's `integrations` leave this destination out";
const DISABLED = 'The destination was disabled or deleted during a replay';
const NEVER_TRIED = { reason: 'The destination was down for the whole retry window' };

/** Delivers single events, with retries and dead letters. */
@Injectable()
export class EventDelivery {
  private readonly logger = new Logger(EventDelivery.name);

  constructor(
    @Inject(CONFIG) private readonly config: DelivererConfig,
    private readonly attempts: Attempts,
    private readonly endings: Endings,
    private readonly code: CodeRunner,
    private readonly outcomes: Outcomes,
    private readonly traces: Traces,
  ) {}

  /** Resolves when the event is finished. Rejects if the worker stops before. */
  async deliver(event: HeldEvent, context: DeliveryContext): Promise<void> {
    for (const output of await this.begin(event, context)) await this.deliverOutput(event, output, context);
  }

  /** Opens the event and returns which outputs of user code to send. Ends the event if there are none. */
  private async begin(event: HeldEvent, context: DeliveryContext): Promise<number[]> {
    const opened = await event.open();
    if (!opened) return [];
    try {
      const { part, after } = opened;
      if (part.replay && !this.attempts.destinationOf(part)) {
        await this.returnReplayed(opened, part.replay.output, 0, context); // its code does not run now
        return [];
      }
      if (!('events' in after)) {
        await this.endWithoutUnit(opened, context);
        return [];
      }
      if (after.status === 'passed') this.outcomes.count(part, 'transformed', after.events.length);
      const only = part.replay?.output;
      return [...after.events.keys()].filter((output) => only === undefined || only === output);
    } finally {
      opened.close();
    }
  }

  private async deliverOutput(event: HeldEvent, output: number, context: DeliveryContext): Promise<void> {
    const progress: Progress = { attempts: 0, sent: 0 };
    const { lease, signal } = context;
    for (;;) {
      await untilHeld(lease, signal);
      const waitMs = await this.once(event, output, progress, context);
      if (waitMs === undefined) return;
      await event.rest(() => sleep(waitMs, signal));
    }
  }

  /**
   * Makes one attempt. Returns the wait before the next one, or undefined if the event is finished. Closes the event in any case.
   */
  private async once(
    event: HeldEvent,
    output: number,
    progress: Progress,
    context: DeliveryContext,
  ): Promise<number | undefined> {
    let opened: OpenEvent | undefined;
    const open = async () => {
      opened ??= await event.open();
      return opened && unitOf(opened, output);
    };
    try {
      const { destinationId, workspaceId, isLarge } = event;
      const attempt = (): Attempt => ({
        ...{ destinationId, workspaceId, isLarge, open, progress },
        leftMs: this.leftMs(event),
      });
      const step = await context.limit
        .run(() => this.attempts.make(attempt(), context))
        .catch((error) => this.unexpected(error, context));
      if (step.next === 'again') return 0;
      const unit = await open();
      if (opened?.part.replay && step.next === 'done' && step.outcome === 'dropped') {
        await this.returnReplayed(opened, output, progress.attempts, context);
        return undefined;
      }
      const work = 'work' in step ? step.work : undefined;
      if (unit) return await this.settle({ ...unit, work }, step, progress, { ...context, mayWait: event.mayWait });
      if (opened) await this.endWithoutUnit(opened, context);
      return undefined;
    } finally {
      opened?.close();
    }
  }

  /** Ends an event for which user code has nothing to send. Code that was published between attempts decides. */
  private async endWithoutUnit({ part, index, after, versionId }: OpenEvent, context: DeliveryContext): Promise<void> {
    const unit = { part, index, event: part.events[index] ?? {}, versionId };
    if (after.status === 'unwanted') return this.endings.drop(unit, 'filtered', UNWANTED);
    if (after.status !== 'failed') return this.endings.drop(unit, 'dropped_by_code');
    this.outcomes.codeFailed(part);
    const secrets = await this.code.secretsOf(part.workspaceId).catch(() => undefined);
    const reason = secrets?.in(after.reason) ?? CODE_FAILED;
    await this.endings.bury(unit, { stage: 'user_transform', reason, attempts: 1 }, context);
  }

  /** A replayed event whose destination is disabled or gone becomes a dead letter again, so that it can be replayed later. */
  private async returnReplayed(
    { part, index, versionId }: OpenEvent,
    output: number | undefined,
    attempts: number,
    context: DeliveryContext,
  ): Promise<void> {
    const unit = { part, index, event: part.events[index] ?? {}, versionId, ...(output !== undefined && { output }) };
    await this.endings.bury(unit, { stage: 'delivery', reason: DISABLED, attempts }, context);
  }

  private async settle(
    unit: DeliveryUnit,
    step: Step,
    progress: Progress,
    context: DeliveryContext & Pick<HeldEvent, 'mayWait'>,
  ): Promise<number | undefined> {
    const { attempts } = progress;
    if (step.next === 'done') {
      this.outcomes.ended(unit, step.outcome);
      this.traces.ended(unit, step.outcome, attempts);
    }
    if (step.next === 'dead') {
      if (step.failure.stage === 'delivery') {
        this.outcomes.failed(unit, { attempts, ...step.failure });
        this.traces.failed(unit, { attempts, ...step.failure });
      }
      await this.endings.bury(unit, { ...step.failure, attempts }, context);
    }
    if (step.next !== 'retry' && step.next !== 'late') return undefined;
    if (step.next === 'retry') progress.last = { reason: step.reason, ...(step.status && { status: step.status }) };
    const leftMs = this.leftMs(unit.part);
    if (step.next === 'late' || leftMs <= 0) {
      await this.endings.bury(unit, { stage: 'delivery', ...(progress.last ?? NEVER_TRIED), attempts }, context);
      return undefined;
    }
    if (!context.mayWait()) {
      await this.endings.bury(unit, { ...NO_ROOM, attempts }, context);
      return undefined;
    }
    const waitMs = Math.min(leftMs, retryDelayMs(attempts, step.retryAfterMs));
    const nextAttemptAt = new Date(Date.now() + waitMs);
    const failed = { attempts, reason: step.reason, status: step.status, nextAttemptAt };
    this.outcomes.failed(unit, failed);
    this.traces.failed(unit, failed);
    return waitMs;
  }

  private leftMs({ receivedAt }: Pick<DestinationPart, 'receivedAt'>): number {
    return Date.parse(receivedAt) + this.config.deliveryRetryMaxMs - Date.now();
  }

  /**
   * Retries after internal failures, such as an unavailable suppression check or a configuration sealed with another key. Time or
   * an operator may fix them.
   */
  private unexpected(error: Error, { signal }: DeliveryContext): Step {
    signal.throwIfAborted();
    if (error instanceof LeaseLostError) return { next: 'again' };
    this.logger.warn(`a delivery will be tried again: ${error.message}`);
    return { next: 'retry', reason: 'The delivery failed for an internal reason' };
  }
}

/** Returns undefined if code that was published in the meantime no longer returns this event. */
function unitOf({ part, index, after, versionId }: OpenEvent, output: number): DeliveryUnit | undefined {
  const event = 'events' in after ? after.events[output] : undefined;
  return event && { part, index, output, event, versionId };
}
