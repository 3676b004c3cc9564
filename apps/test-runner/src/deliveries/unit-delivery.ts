import { Logger } from '@nestjs/common';
import { type JsonObject, matchIdsOf } from '@weir/contracts';
import { type DestinationKind, destinationKind, maskSecrets, type Outbound, secretValues } from '@weir/destinations';
import type { InventoryMirror } from '@weir/messaging';
import { destinationAad, type Sealer } from '@weir/service-kit';
import type { DeadLetter, DeadLetterRepository } from '../dead-letters/dead-letter.repository.js';
import { destStage } from '../stages/dest-stage.js';
import { type SendOutcome, sendStage } from '../stages/send-stage.js';
import { retryDelayMs, sleep, untilItWorks } from './backoff.js';
import type { DeliveryMetrics, DeliveryOutcome } from './delivery-metrics.js';
import { type DeliveryUnit, deadLetterOf, type Failure } from './delivery-unit.js';
import type { Slots } from './slots.js';
import type { SuppressionCheck } from './suppression-check.js';

export interface UnitDeliveryParts {
  inventory: InventoryMirror;
  sealer: Sealer;
  suppression: SuppressionCheck;
  deadLetters: DeadLetterRepository;
  metrics: DeliveryMetrics;
  /** From the intake on, failing deliveries are tried again for so long. */
  retryMaxMs: number;
}

type Step =
  | { next: 'done'; outcome: DeliveryOutcome }
  | { next: 'dead'; failure: Omit<Failure, 'attempts'> }
  | { next: 'retry'; reason: string; status?: number; retryAfterMs?: number };

/** Brings single events to one destination: attempts, retries, dead letters. */
export class UnitDelivery {
  private readonly logger = new Logger(UnitDelivery.name);

  constructor(
    private readonly parts: UnitDeliveryParts,
    private readonly line: { outbound: Outbound; slots: Slots; signal: AbortSignal },
  ) {}

  /** Resolves when nothing is left to do for the event; rejects when the worker is stopped before. */
  async deliver(unit: DeliveryUnit): Promise<void> {
    /** Payloads that have arrived; a retry goes on behind them. */
    const progress = { sent: 0 };
    for (let attempts = 1; ; attempts += 1) {
      const step = await this.line.slots
        .use(() => this.attempt(unit, progress))
        .catch((error) => this.unexpected(error));
      if (step.next === 'done') return this.finish(unit, step.outcome);
      if (step.next === 'dead') return this.bury(unit, { ...step.failure, attempts });
      const leftMs = Date.parse(unit.batch.receivedAt) + this.parts.retryMaxMs - Date.now();
      if (leftMs <= 0) {
        const { reason, status } = step;
        return this.bury(unit, { stage: 'delivery', reason, ...(status !== undefined && { status }), attempts });
      }
      this.parts.metrics.count('retried');
      await sleep(Math.min(leftMs, retryDelayMs(attempts, step.retryAfterMs)), this.line.signal);
    }
  }

  /**
   * Writes what goes no further. Waits for a database that is away, because an accepted event is never lost; and asks for
   * suppression here too, because what waited for long may be of a user whose data was deleted meanwhile.
   */
  async bury(unit: DeliveryUnit, failure: Failure): Promise<void> {
    const letter = deadLetterOf(unit.batch, unit.key, unit.original, failure);
    const outcome = await untilItWorks(() => this.buryUnlessSuppressed(unit, letter), {
      signal: this.line.signal,
      onFailure: (error) => this.logger.warn(`a dead letter cannot be written: ${error.message}`),
    });
    this.parts.metrics.count(outcome);
  }

  private async buryUnlessSuppressed(unit: DeliveryUnit, letter: DeadLetter): Promise<'suppressed' | 'dead'> {
    if (await this.isSuppressed(unit)) return 'suppressed';
    await this.parts.deadLetters.add(letter);
    return 'dead';
  }

  private finish(unit: DeliveryUnit, outcome: DeliveryOutcome): void {
    if (outcome === 'delivered') this.parts.metrics.delivered(unit.batch.receivedAt);
    else this.parts.metrics.count(outcome);
  }

  /** Suppression that cannot be checked, a configuration sealed with another key: time, or an operator, may heal it. */
  private unexpected(error: Error): Step {
    this.line.signal.throwIfAborted();
    this.logger.warn(`a delivery waits: ${error.message}`);
    return { next: 'retry', reason: 'The delivery failed for an internal reason' };
  }

  /** Everything that may have changed since the last attempt is looked at anew: state, configuration, suppression. */
  private async attempt(unit: DeliveryUnit, progress: { sent: number }): Promise<Step> {
    this.line.signal.throwIfAborted();
    const destination = this.parts.inventory.destination(unit.batch.destinationId);
    if (!destination?.enabled) return { next: 'done', outcome: 'dropped' };
    const kind = destinationKind(destination.type);
    if (!kind) return dead('dest_transform', `Destinations of type ${destination.type} cannot be delivered to`);
    const config = this.parts.sealer.open(destination.sealedConfig, destinationAad(destination));
    const after = destStage(kind, unit.event, config);
    if (after.status === 'failed') return dead('dest_transform', after.reason);
    if (after.payloads.length === 0) return { next: 'done', outcome: 'filtered' };
    if (await this.isSuppressed(unit)) return { next: 'done', outcome: 'suppressed' };
    for (const [index, payload] of after.payloads.entries()) {
      if (index < progress.sent) continue;
      const options = { idempotencyKey: `${unit.key}.${index}` };
      const sent = await sendStage(kind, payload, config, this.line.outbound, options);
      if (sent.verdict !== 'delivered') return failedStep(sent, kind, config);
      progress.sent = index + 1;
    }
    return { next: 'done', outcome: 'delivered' };
  }

  /** Asked right before sending, by the ids that the event was accepted with. An error means: not now. */
  private isSuppressed({ original, batch }: DeliveryUnit): Promise<boolean> {
    return this.parts.suppression.isSuppressed(batch.workspaceId, batch.sourceId, matchIdsOf(original));
  }
}

const dead = (stage: Failure['stage'], reason: string): Step => ({ next: 'dead', failure: { stage, reason } });

function failedStep(
  { verdict, status, response, retryAfterMs }: SendOutcome,
  kind: DestinationKind,
  config: JsonObject,
): Step {
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  const answer = maskSecrets(text, secretValues(config, kind.definition.config.secretKeys));
  const reason = answer || `The destination answered ${status}`;
  if (verdict === 'refused') return { next: 'dead', failure: { stage: 'delivery', reason, status } };
  return { next: 'retry', reason, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
