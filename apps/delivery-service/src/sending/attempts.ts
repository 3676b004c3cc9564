import { Injectable } from '@nestjs/common';
import { BATCH_WAIT_MS_MAX, DELIVERY_TIMEOUT_MS, type DestinationRecord, type JsonObject } from '@weir/contracts';
import { destinationKind, maskOf, type SecretMask } from '@weir/destinations';
import { InventoryMirror } from '@weir/inventory';
import { ownTurn, timeInTurn } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import { CodeRunner, destStage, type SendOutcome } from '@weir/stages';
import { SuppressionCheck } from '../checks/suppression-check.js';
import { REASON_LENGTH_MAX } from '../dead-letters/dead-letter.repository.js';
import {
  type DeliveryOutcome,
  type DeliveryUnit,
  type DestinationRef,
  eventKeyOf,
  type Failure,
  usersOf,
  type Work,
} from '../units/delivery-unit.js';
import type { AdaptiveLimit } from './adaptive-limit.js';
import type { Breaker, Pass } from './breaker.js';
import type { DestinationSender } from './destination-sender.js';
import type { Hold } from './held-batch.js';

/** The values that all deliveries of one destination share. */
export interface SendingContext {
  sender: DestinationSender;
  breaker: Breaker;
  /** Bounds the concurrent attempts. */
  limit: AdaptiveLimit;
}

/** A sending context with the lease under which an event is sent. */
export type DeliveryContext = SendingContext & Hold;

/** State of the delivery after earlier attempts. */
export interface Progress {
  attempts: number;
  /** Payloads that the destination took. A retry continues with the next one. */
  sent: number;
  last?: { reason: string; status?: number };
}

export interface Attempt extends DestinationRef {
  /** Its message takes long to read or send. */
  isLarge: boolean;
  /** The rest of the retry window. */
  leftMs: number;
  /** Resolves with undefined if user code no longer returns the event. */
  open: () => Promise<DeliveryUnit | undefined>;
  progress: Progress;
}

/** The consequence of an attempt. */
export type Step =
  | { next: 'done'; outcome: DeliveryOutcome; work?: Work }
  | { next: 'dead'; failure: Omit<Failure, 'attempts'>; work?: Work }
  | { next: 'retry'; reason: string; status?: number; retryAfterMs?: number; work?: Work }
  /** The retry window ended while the destination was down. */
  | { next: 'late' }
  /** The process paused so long that another may own the destination, so it did not send. */
  | { next: 'again' };

/** How long sends may go on after the check that allowed them. A deletion waits as long for events that were on their way. */
const ALLOWED_MS = BATCH_WAIT_MS_MAX + DELIVERY_TIMEOUT_MS;
const NOT_TRANSFORMED = 'The event cannot be transformed for this destination';

/** Makes single attempts to deliver an event. */
@Injectable()
export class Attempts {
  /**
   * Decrypting a configuration costs more than the rest of an attempt. A changed destination is a new record, so nothing gets
   * stale.
   */
  private readonly configs = new WeakMap<DestinationRecord, JsonObject>();

  constructor(
    private readonly inventory: InventoryMirror,
    private readonly sealer: Sealer,
    private readonly code: CodeRunner,
    private readonly suppression: SuppressionCheck,
  ) {}

  /**
   * Checks again everything that may have changed since the last attempt: state, configuration, suppression. Opens the event only
   * when it may be sent, so that it needs no memory while its destination is down.
   */
  async make({ open, progress, leftMs, ...event }: Attempt, context: DeliveryContext): Promise<Step> {
    const { breaker, signal } = context;
    if (!this.destinationOf(event)) return { next: 'done', outcome: 'dropped' };
    const pass = await breaker.pass(leftMs, signal);
    if (pass === 'late') return { next: 'late' };
    try {
      const unit = await open();
      await (event.isLarge ? ownTurn(event.workspaceId) : timeInTurn(event.workspaceId));
      if (!unit) return { next: 'done', outcome: 'dropped_by_code' };
      progress.attempts += 1;
      return await this.send(unit, progress, pass, context);
    } finally {
      breaker.ended(pass);
    }
  }

  private async send(unit: DeliveryUnit, progress: Progress, pass: Pass, context: DeliveryContext): Promise<Step> {
    const destination = this.destinationOf(unit.part);
    if (!destination) return { next: 'done', outcome: 'dropped' };
    const kind = destinationKind(destination.type);
    if (!kind) return dead('dest_transform', `Destinations of type ${destination.type} cannot be delivered to`);
    const config = this.configOf(destination);
    const after = destStage(kind, unit.event, config);
    if (after.status === 'failed')
      return dead('dest_transform', (await this.withoutCodeSecrets(unit, after.reason)) ?? NOT_TRANSFORMED);
    // Asked right before sending. If it throws, the event must wait.
    if (await this.suppression.isSuppressed(usersOf(unit))) return { next: 'done', outcome: 'suppressed' };
    const work: Work = { kind, config, payloads: after.payloads, milliseconds: 0 };
    if (after.payloads.length === 0) return { next: 'done', outcome: 'filtered', work };
    const startedAt = performance.now();
    const key = eventKeyOf(unit.part, unit.index, unit.output);
    let checkedAt = startedAt;
    for (const [index, payload] of after.payloads.entries()) {
      if (index < progress.sent) continue;
      if (performance.now() - checkedAt > BATCH_WAIT_MS_MAX) {
        if (await this.suppression.isSuppressed(usersOf(unit))) return { next: 'done', outcome: 'suppressed', work };
        checkedAt = performance.now();
      }
      const sentAt = performance.now();
      const sent = await context.sender.send(kind, payload, config, {
        idempotencyKey: `${key}.${index}`,
        deadline: checkedAt + ALLOWED_MS,
        lease: context.lease,
      });
      report(context, sent, pass, performance.now() - sentAt);
      work.sent = sent;
      work.milliseconds = Math.round(performance.now() - startedAt);
      if (sent.verdict !== 'delivered')
        return failedStep(sent, work, await this.withoutCodeSecrets(unit, answerOf(sent, maskOf(kind, config))));
      progress.sent = index + 1;
    }
    return { next: 'done', outcome: 'delivered', work };
  }

  /** Undefined if the destination is disabled or gone. */
  destinationOf({ destinationId }: DestinationRef): DestinationRecord | undefined {
    const destination = this.inventory.destination(destinationId);
    return destination?.enabled ? destination : undefined;
  }

  private configOf(destination: DestinationRecord): JsonObject {
    const known = this.configs.get(destination);
    if (known) return known;
    const config = this.sealer.open(destination.sealedConfig, destinationAad(destination));
    this.configs.set(destination, config);
    return config;
  }

  /** Masks the secrets of the workspace's code. Returns undefined if they cannot be loaded. */
  private async withoutCodeSecrets({ part }: DeliveryUnit, text: string): Promise<string | undefined> {
    const secrets = await this.code.secretsOf(part.workspaceId).catch(() => undefined);
    return secrets?.in(text);
  }
}

const TOO_MANY_REQUESTS = 429;
/** Request timeout, conflict and too early concern the event, not the destination. */
const PER_EVENT = [408, 409, 425];

/** Length of an answer that is searched for secrets. Longer than a reason, because masking shortens the text. */
const ANSWER_LENGTH_MAX = 16_384;

/**
 * A refusal, or a failure that concerns a single event, proves that the destination works. Other failures say that it may be
 * down.
 */
function report(
  { breaker, limit }: DeliveryContext,
  { verdict, status, retryAfterMs }: SendOutcome,
  pass: Pass,
  tookMs: number,
): void {
  if (verdict !== 'retry' || PER_EVENT.includes(status)) {
    breaker.succeeded();
    limit.answered(tookMs);
  } else {
    breaker.failed(pass, status === TOO_MANY_REQUESTS ? retryAfterMs : undefined);
    limit.failed();
  }
}

/** A failure without a body has words of its own (wire-facts 3.3), so this one has a body. */
const UNREAD = 'and the content type of its answer is not JSON, XML or text';

const dead = (stage: Failure['stage'], reason: string): Step => ({ next: 'dead', failure: { stage, reason } });

function answerOf({ response }: SendOutcome, mask: SecretMask): string {
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  return mask.in(text.slice(0, ANSWER_LENGTH_MAX));
}

function failedStep({ verdict, status, retryAfterMs }: SendOutcome, work: Work, answer = ''): Step {
  const reason = answer.slice(0, REASON_LENGTH_MAX) || `The destination answered ${status}, ${UNREAD}`;
  if (verdict === 'refused') return { next: 'dead', failure: { stage: 'delivery', reason, status }, work };
  return { next: 'retry', reason, status, ...(retryAfterMs !== undefined && { retryAfterMs }), work };
}
