import { Logger } from '@nestjs/common';
import { type DestinationRecord, type JsonObject, matchIdsOf } from '@weir/contracts';
import { destinationKind, maskOf, type SecretMask } from '@weir/destinations';
import { type InventoryMirror, type Lease, LeaseLostError, ownTurn } from '@weir/messaging';
import { destinationAad, type Sealer } from '@weir/service-kit';
import type { CodeRunner } from '../code/code-runner.js';
import { type DeadLetter, REASON_LENGTH_MAX } from '../dead-letters/dead-letter.repository.js';
import type { DeadLetterWriter } from '../dead-letters/dead-letter-writer.js';
import { destStage } from '../stages/dest-stage.js';
import type { SendOutcome } from '../stages/send-stage.js';
import type { AfterUserStage } from '../stages/user-stage.js';
import { retryDelayMs, sleep, untilHeld, untilItWorks } from './backoff.js';
import type { Breaker, Pass } from './breaker.js';
import type { DeliveryOutcome } from './delivery-metrics.js';
import type { DeliveryOutcomes } from './delivery-outcomes.js';
import {
  type DeliveryOwnerIds,
  type DeliveryUnit,
  type DestinationPart,
  deadLetterOf,
  eventKeyOf,
  type Failure,
  originalOf,
} from './delivery-unit.js';
import type { DestinationSender } from './destination-sender.js';
import type { Slots } from './slots.js';
import type { SuppressionCheck } from './suppression-check.js';

export interface UnitDeliveryParts {
  inventory: InventoryMirror;
  sealer: Sealer;
  code: Pick<CodeRunner, 'secretsOf'>;
  suppression: SuppressionCheck;
  deadLetters: DeadLetterWriter;
  outcomes: DeliveryOutcomes;
  /** Retry window of a failing delivery, from the intake on. */
  retryMaxMs: number;
}

/** An event to deliver. Its content is in memory only while it is open. */
export interface HeldEvent extends DeliveryOwnerIds {
  receivedAt: string;
  /** Its message takes long to read or send. */
  isLarge: boolean;
  /** Returns undefined if the stream no longer has the message. Rejects when stopped. */
  open(): Promise<OpenEvent | undefined>;
}

export interface OpenEvent {
  part: DestinationPart;
  index: number;
  /** The result of user code. */
  after: AfterUserStage;
  /** Must be called when the content is no longer used. */
  close(): void;
}

/** Resources that all deliveries of one destination share. */
export interface DeliveryLine {
  sender: DestinationSender;
  breaker: Breaker;
  slots: Slots;
  /** The lease under which events are sent. */
  lease: Lease;
  signal: AbortSignal;
}

type Step =
  | { next: 'done'; outcome: DeliveryOutcome }
  | { next: 'dead'; failure: Omit<Failure, 'attempts'> }
  | { next: 'retry'; reason: string; status?: number; retryAfterMs?: number }
  /** The retry window ended while the destination was down. */
  | { next: 'late' }
  /** The process paused so long that another may own the destination, so it did not send. */
  | { next: 'again' };

/** State of the delivery after earlier attempts. */
interface Progress {
  attempts: number;
  /** Payloads that the destination took. A retry continues with the next one. */
  sent: number;
  last?: { reason: string; status?: number };
}

const NOT_RUN = 'The user code of the source failed for the event';
const NOT_TRANSFORMED = 'The event cannot be transformed for this destination';
const NEVER_TRIED = { reason: 'The destination was down for as long as deliveries are tried' };

/** Delivers single events to one destination, with retries and dead letters. */
export class UnitDelivery {
  private readonly logger = new Logger(UnitDelivery.name);
  /**
   * Decrypting a configuration costs more than the rest of an attempt. A changed destination is a new record, so nothing gets
   * stale.
   */
  private readonly configs = new WeakMap<DestinationRecord, JsonObject>();

  constructor(
    private readonly parts: UnitDeliveryParts,
    private readonly line: DeliveryLine,
  ) {}

  /** Resolves when the event is finished. Rejects if the worker stops before. */
  async deliver(event: HeldEvent): Promise<void> {
    for (const output of await this.begin(event)) await this.deliverOutput(event, output);
  }

  /** Opens the event and returns which outputs of user code to send. Ends the event if there are none. */
  private async begin(event: HeldEvent): Promise<number[]> {
    const opened = await event.open();
    if (!opened) return [];
    try {
      const { part, after } = opened;
      if (!('events' in after)) await this.endWithoutUnit(opened);
      if (!('events' in after)) return [];
      if (after.status === 'passed') this.parts.outcomes.count(part, 'transformed', after.events.length);
      const only = part.replay?.output;
      return [...after.events.keys()].filter((output) => only === undefined || only === output);
    } finally {
      opened.close();
    }
  }

  private async deliverOutput(event: HeldEvent, output: number): Promise<void> {
    const progress: Progress = { attempts: 0, sent: 0 };
    const { lease, signal } = this.line;
    for (;;) {
      await untilHeld(lease, signal);
      const waitMs = await this.once(event, output, progress);
      if (waitMs === undefined) return;
      await sleep(waitMs, signal);
    }
  }

  /**
   * Makes one attempt. Returns the wait before the next one, or undefined if the event is finished. Closes the event in any case.
   */
  private async once(event: HeldEvent, output: number, progress: Progress): Promise<number | undefined> {
    let opened: OpenEvent | undefined;
    const open = async () => {
      opened ??= await event.open();
      return opened && unitOf(opened, output);
    };
    try {
      const attempt = () => this.attempt(event, open, progress);
      const step = await this.line.slots.use(attempt).catch((error) => this.unexpected(error));
      if (step.next === 'again') return 0;
      const unit = await open();
      if (unit) return await this.settle(unit, step, progress);
      if (opened) await this.endWithoutUnit(opened);
      return undefined;
    } finally {
      opened?.close();
    }
  }

  /** Ends an event for which user code has nothing to send. Code that was published between attempts decides. */
  private async endWithoutUnit({ part, index, after }: OpenEvent): Promise<void> {
    const unit = { part, index, event: part.events[index] ?? {} };
    if (after.status !== 'failed') return this.drop(unit);
    const reason = (await this.withoutCodeSecrets(unit, after.reason)) ?? NOT_RUN;
    await this.bury(unit, { stage: 'user_transform', reason, attempts: 1 });
  }

  private async settle(unit: DeliveryUnit, step: Step, progress: Progress): Promise<number | undefined> {
    const { attempts } = progress;
    if (step.next === 'done') this.parts.outcomes.ended(unit, step.outcome);
    if (step.next === 'dead') {
      if (step.failure.stage === 'delivery') this.parts.outcomes.failed(unit, { attempts, ...step.failure });
      await this.bury(unit, { ...step.failure, attempts });
    }
    if (step.next !== 'retry' && step.next !== 'late') return undefined;
    if (step.next === 'retry') progress.last = { reason: step.reason, ...(step.status && { status: step.status }) };
    const leftMs = this.leftMs(unit.part);
    if (step.next === 'late' || leftMs <= 0) {
      await this.bury(unit, { stage: 'delivery', ...(progress.last ?? NEVER_TRIED), attempts });
      return undefined;
    }
    const waitMs = Math.min(leftMs, retryDelayMs(attempts, step.retryAfterMs));
    const nextAttemptAt = new Date(Date.now() + waitMs);
    this.parts.outcomes.failed(unit, { attempts, reason: step.reason, status: step.status, nextAttemptAt });
    return waitMs;
  }

  /**
   * Writes a dead letter unless the user is suppressed. Waits while the database is away, because an accepted event is never
   * lost. Checks suppression again, because the user may have been deleted while the event waited.
   */
  async bury(unit: DeliveryUnit, failure: Failure): Promise<void> {
    const letter = deadLetterOf(unit, failure);
    const outcome = await untilItWorks(() => this.buryUnlessSuppressed(unit, letter), {
      signal: this.line.signal,
      onFailure: (error) => this.logger.warn(`a dead letter cannot be written: ${error.message}`),
    });
    this.parts.outcomes.ended(unit, outcome, failure.reason);
  }

  /** User code dropped the event. Live views show that only if the user is known not to be suppressed. */
  async drop(unit: DeliveryUnit): Promise<void> {
    const isSuppressed = await this.isSuppressed(unit).catch(() => undefined);
    if (isSuppressed === undefined) this.parts.outcomes.count(unit.part, 'dropped_by_code');
    else this.parts.outcomes.ended(unit, isSuppressed ? 'suppressed' : 'dropped_by_code');
  }

  private async buryUnlessSuppressed(unit: DeliveryUnit, letter: DeadLetter): Promise<'suppressed' | 'dead'> {
    if (await this.isSuppressed(unit)) return 'suppressed';
    this.line.lease.assertHeld();
    await this.parts.deadLetters.add(letter);
    return 'dead';
  }

  private leftMs({ receivedAt }: Pick<DestinationPart, 'receivedAt'>): number {
    return Date.parse(receivedAt) + this.parts.retryMaxMs - Date.now();
  }

  /**
   * Retries after internal failures, such as an unavailable suppression check or a configuration sealed with another key. Time or
   * an operator may fix them.
   */
  private unexpected(error: Error): Step {
    this.line.signal.throwIfAborted();
    if (error instanceof LeaseLostError) return { next: 'again' };
    this.logger.warn(`a delivery waits: ${error.message}`);
    return { next: 'retry', reason: 'The delivery failed for an internal reason' };
  }

  /**
   * Checks again everything that may have changed since the last attempt: state, configuration, suppression. Opens the event only
   * when it may be sent, so that it needs no memory while its destination is down.
   */
  private async attempt(
    event: HeldEvent,
    open: () => Promise<DeliveryUnit | undefined>,
    progress: Progress,
  ): Promise<Step> {
    const { breaker, signal } = this.line;
    if (!this.destinationOf(event)) return { next: 'done', outcome: 'dropped' };
    const pass = await breaker.pass(this.leftMs(event), signal);
    if (pass === 'late') return { next: 'late' };
    try {
      const unit = await open();
      if (event.isLarge) await ownTurn(event.workspaceId);
      if (!unit) return { next: 'done', outcome: 'dropped_by_code' };
      progress.attempts += 1;
      return await this.send(unit, progress, pass);
    } finally {
      breaker.ended(pass);
    }
  }

  private async send(unit: DeliveryUnit, progress: Progress, pass: Pass): Promise<Step> {
    const destination = this.destinationOf(unit.part);
    if (!destination) return { next: 'done', outcome: 'dropped' };
    const kind = destinationKind(destination.type);
    if (!kind) return dead('dest_transform', `Destinations of type ${destination.type} cannot be delivered to`);
    const config = this.configOf(destination);
    const after = destStage(kind, unit.event, config);
    if (after.status === 'failed')
      return dead('dest_transform', (await this.withoutCodeSecrets(unit, after.reason)) ?? NOT_TRANSFORMED);
    if (await this.isSuppressed(unit)) return { next: 'done', outcome: 'suppressed' };
    if (after.payloads.length === 0) return { next: 'done', outcome: 'filtered' };
    const key = eventKeyOf(unit.part, unit.index, unit.output);
    for (const [index, payload] of after.payloads.entries()) {
      if (index < progress.sent) continue;
      const sent = await this.line.sender.send(kind, payload, config, `${key}.${index}`);
      this.report(sent, pass);
      if (sent.verdict !== 'delivered')
        return failedStep(sent, await this.withoutCodeSecrets(unit, answerOf(sent, maskOf(kind, config))));
      progress.sent = index + 1;
    }
    return { next: 'done', outcome: 'delivered' };
  }

  /**
   * A refusal, or a failure that concerns a single event, proves that the destination works. Other failures say that it may be
   * down.
   */
  private report({ verdict, status, retryAfterMs }: SendOutcome, pass: Pass): void {
    if (verdict !== 'retry' || PER_EVENT.includes(status)) this.line.breaker.succeeded();
    else this.line.breaker.failed(pass, status === TOO_MANY_REQUESTS ? retryAfterMs : undefined);
  }

  private destinationOf({ destinationId }: DeliveryOwnerIds): DestinationRecord | undefined {
    const destination = this.parts.inventory.destination(destinationId);
    return destination?.enabled ? destination : undefined;
  }

  private configOf(destination: DestinationRecord): JsonObject {
    const known = this.configs.get(destination);
    if (known) return known;
    const config = this.parts.sealer.open(destination.sealedConfig, destinationAad(destination));
    this.configs.set(destination, config);
    return config;
  }

  /** Masks the secrets of the workspace's code. Returns undefined if they cannot be loaded. */
  private async withoutCodeSecrets({ part }: DeliveryUnit, text: string): Promise<string | undefined> {
    const secrets = await this.parts.code.secretsOf(part.workspaceId).catch(() => undefined);
    return secrets?.in(text);
  }

  /** Asked right before sending, with the ids of the accepted event. If it throws, the event must wait. */
  private isSuppressed(unit: DeliveryUnit): Promise<boolean> {
    return this.parts.suppression.isSuppressed({ ...unit.part, userIds: matchIdsOf(originalOf(unit)) });
  }
}

const TOO_MANY_REQUESTS = 429;
/** Request timeout, conflict and too early concern the event, not the destination. */
const PER_EVENT = [408, 409, 425];

/** Length of an answer that is searched for secrets. Longer than a reason, because masking shortens the text. */
const ANSWER_LENGTH_MAX = 16_384;

/** Returns undefined if code that was published in the meantime no longer returns this event. */
function unitOf({ part, index, after }: OpenEvent, output: number): DeliveryUnit | undefined {
  const event = 'events' in after ? after.events[output] : undefined;
  return event && { part, index, output, event };
}

const dead = (stage: Failure['stage'], reason: string): Step => ({ next: 'dead', failure: { stage, reason } });

function answerOf({ response }: SendOutcome, mask: SecretMask): string {
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  return mask.in(text.slice(0, ANSWER_LENGTH_MAX));
}

function failedStep({ verdict, status, retryAfterMs }: SendOutcome, answer = ''): Step {
  const reason = answer.slice(0, REASON_LENGTH_MAX) || `The destination answered ${status}`;
  if (verdict === 'refused') return { next: 'dead', failure: { stage: 'delivery', reason, status } };
  return { next: 'retry', reason, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
