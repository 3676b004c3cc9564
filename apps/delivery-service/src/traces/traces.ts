import { Injectable } from '@nestjs/common';
import {
  type EventBatch,
  isTraced,
  type JsonObject,
  matchIdsOf,
  type SuppressedEvent,
  storableText,
  type TraceCode,
  type TraceStep,
} from '@weir/contracts';
import { maskOf, shownPayloads, twinOf } from '@weir/destinations';
import { CodeRunner, type CodeSecrets } from '@weir/stages';
import type { Route } from '../inventory/routes.js';
import {
  type DeliveryOutcome,
  type DeliveryUnit,
  type DestinationPart,
  type DestinationRef,
  eventKeyOf,
  eventNamesOf,
  type Failure,
  originalOf,
  type Work,
} from '../units/delivery-unit.js';
import { identifierKeyOf, matchKeysOf } from '../units/match-keys.js';
import { changesOf, isLarge } from './event-changes.js';
import { TraceRepository } from './trace.repository.js';
import { TraceBudget } from './trace-budget.js';
import { messageKeyOf, type TraceRow } from './trace-row.js';
import { TraceWriter } from './trace-writer.js';

/** Length of a shown answer or reason. */
const TEXT_LENGTH_MAX = 2_000;
/** Bytes of payloads that a step keeps. Larger ones are told by their size. */
const PAYLOAD_BYTES_MAX = 16_384;
/** Stands for the payloads of a large event. To mask them, the kind would have to transform it a second time. */
const NOT_KEPT = '(a large event, not kept)';

interface FailedAttempt {
  attempts: number;
  reason: string;
  status?: number | undefined;
  nextAttemptAt?: Date;
}

type Fields = Partial<Omit<TraceStep, 'at' | 'step' | 'code' | 'payloads' | 'output'>>;

/** Notes what happens to traced events. Costs nothing for others, and never fails or delays a delivery. */
@Injectable()
export class Traces {
  constructor(
    private readonly budget: TraceBudget,
    private readonly writer: TraceWriter,
    private readonly code: CodeRunner,
    private readonly repository: TraceRepository,
  ) {}

  /** Notes the events of an accepted batch. Returns the share in which they are traced, for their later steps. */
  accepted(batch: EventBatch, routes: Route[]): number {
    const { workspaceId, sourceId, receivedAt, events } = batch;
    const share = this.shareOf(batch, events.length);
    if (share === 0) return 0;
    for (const event of events) {
      if (!isTraced(event['messageId'], share)) continue;
      const userIds = matchIdsOf(event);
      const row: TraceRow = {
        ...{ workspaceId, sourceId, receivedAt, share, messageKey: messageKeyOf(event['messageId'] as string) },
        ...(userIds[0] !== undefined && { userKey: identifierKeyOf(`userId=${userIds[0]}`) }),
        matchKeys: matchKeysOf(event),
        step: {
          ...{ step: 'accepted', receivedAt, routes, bytes: Buffer.byteLength(JSON.stringify(event)) },
          ...namesOf(event),
        },
      };
      this.writer.add(row, { workspaceId, sourceId, receivedAt, userIds });
    }
    return share;
  }

  /** Notes events that the filter stopped, without anything of their users. */
  suppressed(workspaceId: string, events: readonly SuppressedEvent[]): void {
    for (const { sourceId, messageId, type, receivedAt } of events) {
      const share = this.shareOf({ workspaceId, sourceId }, 1);
      if (!isTraced(messageId, share)) continue;
      const messageKey = messageKeyOf(messageId);
      const step = { step: 'suppressed' as const, receivedAt, ...(type !== undefined && { eventType: type }) };
      this.writer.add({ workspaceId, sourceId, receivedAt, share, messageKey, step });
    }
  }

  /** Notes the outcome of an attempt that was the last. */
  ended(unit: DeliveryUnit, outcome: DeliveryOutcome, attempt: number): void {
    if (outcome === 'delivered') this.note(unit, 'delivered', { attempt });
    else if (outcome === 'filtered') this.note(unit, 'filtered');
    else if (outcome === 'suppressed' || outcome === 'dropped') this.bare(unit, outcome);
  }

  /** Notes a failed attempt. One that sent nothing has not checked whether the user is suppressed. */
  failed(unit: DeliveryUnit, { attempts, status, nextAttemptAt, reason }: FailedAttempt): void {
    const fields: Fields = {
      ...{ attempt: attempts, reason },
      ...(status !== undefined && { responseStatus: status }),
      ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
    };
    if (unit.work) this.note(unit, 'failed', fields);
    else this.bare(unit, 'failed', fields);
  }

  /** Notes the end of an event that became a dead letter, unless its user was suppressed. */
  buried(unit: DeliveryUnit, outcome: 'dead' | 'suppressed', { stage, reason, status, attempts }: Failure): void {
    if (outcome === 'suppressed') this.bare(unit, 'suppressed');
    else
      this.note(unit, 'dead', {
        stage,
        reason,
        attempt: attempts,
        ...(status !== undefined && { responseStatus: status }),
      });
  }

  /** Notes that a dead letter is back in its queue. */
  replayed(part: DestinationPart): void {
    const { replay, events } = part;
    this.bare(
      { part, index: 0, event: events[0] ?? {}, ...(replay?.output !== undefined && { output: replay.output }) },
      'replayed',
    );
  }

  /** Which of these events are traced. Without an answer, none is. */
  async known(workspaceId: string, events: readonly JsonObject[]): Promise<(event: JsonObject) => boolean> {
    const keyOf = ({ messageId }: JsonObject) => (typeof messageId === 'string' ? messageKeyOf(messageId) : '');
    const keys = await this.repository.known(workspaceId, events.map(keyOf)).catch(() => new Set<string>());
    return (event) => keys.has(keyOf(event));
  }

  /** Notes a step that holds nothing of the user: the user may be suppressed. */
  bare(unit: DeliveryUnit, step: TraceStep['step'], fields: Fields = {}): void {
    if (isOfTraced(unit)) this.writer.add({ ...rowOf(unit), step: stepOf(unit, step, fields) });
  }

  /** Notes a step of an event whose user has just been found not to be suppressed. */
  note(unit: DeliveryUnit, step: TraceStep['step'], fields: Fields = {}): void {
    if (isOfTraced(unit)) void this.add(unit, step, fields);
  }

  private async add(unit: DeliveryUnit, step: TraceStep['step'], fields: Fields): Promise<void> {
    const secrets = await this.code.secretsOf(unit.part.workspaceId).catch(() => undefined);
    const { reason, ...others } = fields;
    const noted = stepOf(unit, step, {
      ...(secrets && workOf(unit, secrets)),
      ...others,
      ...(reason !== undefined && { reason: storableText(reason.slice(0, TEXT_LENGTH_MAX)) }),
      code: codeOf(unit, step, fields, secrets),
    });
    this.writer.add({ ...rowOf(unit), matchKeys: matchKeysOf(originalOf(unit)), step: noted });
  }

  private shareOf(of: { workspaceId: string; sourceId: string }, events: number): number {
    return this.writer.isFull(of.workspaceId) ? 0 : this.budget.shareOf(of, events);
  }
}

const isOfTraced = (unit: DeliveryUnit): boolean =>
  isTraced(unit.part.events[unit.index]?.['messageId'], unit.part.traceShare);

function rowOf(unit: DeliveryUnit): Omit<TraceRow, 'step'> & DestinationRef {
  const { workspaceId, sourceId, destinationId, traceShare = 0, replay } = unit.part;
  const messageKey = messageKeyOf(String(originalOf(unit)['messageId']));
  const receivedAt = replay?.receivedAt ?? unit.part.receivedAt;
  return { workspaceId, sourceId, destinationId, receivedAt, share: traceShare, messageKey };
}

function stepOf({ part, index, output }: DeliveryUnit, step: TraceStep['step'], fields: Partial<TraceStep>) {
  const at = new Date().toISOString();
  return { at, step, ...fields, ...(output !== undefined && { output }), eventKey: eventKeyOf(part, index) };
}

function namesOf(event: JsonObject) {
  const { messageId, eventType, eventName } = eventNamesOf(event);
  return { messageId: messageId ?? undefined, eventType: eventType ?? undefined, eventName: eventName ?? undefined };
}

function codeOf(
  unit: DeliveryUnit,
  step: TraceStep['step'],
  { stage }: Fields,
  secrets: CodeSecrets | undefined,
): TraceCode | undefined {
  const { versionId, event, output } = unit;
  if (stage === 'queue') return undefined;
  if (versionId === undefined) return { result: 'none' };
  if (step === 'dropped_by_code') return { result: 'dropped', versionId };
  if (stage === 'user_transform') return { result: 'failed', versionId };
  if (output === undefined || !secrets) return undefined;
  const original = originalOf(unit);
  if (isLarge(original) || isLarge(event)) return { result: 'not_compared', versionId };
  const { changes, more } = changesOf(original, secrets.inEvent(event, original));
  if (changes.length === 0) return { result: 'unchanged', versionId };
  return { result: 'changed', versionId, changes, ...(more > 0 && { moreChanges: more }) };
}

/** The request without its secrets, and the answer. */
function workOf(unit: DeliveryUnit, secrets: CodeSecrets): Partial<TraceStep> {
  const { work, event } = unit;
  if (!work) return {};
  const { kind, config, sent, milliseconds } = work;
  const answer = sent && (typeof sent.response === 'string' ? sent.response : JSON.stringify(sent.response));
  return {
    payloads: isLarge(event) ? [NOT_KEPT] : keptPayloads(work, secrets.inEvent(event, originalOf(unit))),
    milliseconds,
    ...(sent && { responseStatus: sent.status }),
    ...(answer && { reason: shownText(answer, (text) => secrets.in(maskOf(kind, config).in(text))) }),
  };
}

function keptPayloads({ kind, config, payloads }: Work, shownEvent: JsonObject): unknown[] {
  const shown = shownPayloads(payloads, twinOf(kind, shownEvent, config));
  const bytes = Buffer.byteLength(JSON.stringify(shown));
  return bytes > PAYLOAD_BYTES_MAX ? [`(${bytes} bytes, not kept)`] : shown;
}

/** Masks a little more than is shown, because a secret may be cut. */
const shownText = (text: string, mask: (text: string) => string): string =>
  storableText(mask(text.slice(0, 2 * TEXT_LENGTH_MAX)).slice(0, TEXT_LENGTH_MAX));
