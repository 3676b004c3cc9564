import { Logger } from '@nestjs/common';
import { userStage } from '@weir/stages';
import type { LiveCode } from '../code/live-code.js';
import type { DestinationRef } from '../units/delivery-unit.js';
import { sleep, untilItWorks } from './backoff.js';
import type { BatchContents } from './batch-contents.js';
import type { OpenEvent } from './event-delivery.js';
import { type BatchContent, type EventRef, type HeldBatch, type HeldEventRef, outcomeOf } from './held-batch.js';
import type { RunAhead } from './run-ahead.js';

/** Interval between looks whether an event became a dead letter. Writing it takes a few milliseconds. */
const BURIAL_POLL_MS = 20;

export interface OpenedEventsOptions {
  owner: DestinationRef;
  contents: BatchContents;
  code: LiveCode;
  ahead: RunAhead;
}

/** Runs the user code of one destination, and opens single events with its results. */
export class OpenedEvents {
  private readonly logger = new Logger(OpenedEvents.name);

  constructor(private readonly options: OpenedEventsOptions) {}

  /** Runs user code for events without an outcome in memory. `isAgain` marks events that statistics already include. */
  async runCode(open: readonly HeldEventRef[], isAgain = false): Promise<void> {
    const { code, owner } = this.options;
    const refs = open.filter(({ held, ref }) => outcomeOf(held, ref) === undefined);
    if (refs.length === 0) return;
    const events = refs.map(({ held, ref: { part, index } }) => ({ part: held.content?.parts[part.at], index }));
    const outcomes = await code.run(owner.destinationId, events, { isAgain });
    for (const [n, { held, ref }] of refs.entries()) {
      const ofPart = held.content?.outcomes.get(ref.part) ?? [];
      held.content?.outcomes.set(ref.part, ofPart);
      ofPart[ref.index] = outcomes[n] ?? { status: 'unlinked' };
    }
  }

  /** Waits while the broker or the sandbox is away. Undefined if the event is done, or the stream no longer has it. */
  open(held: HeldBatch, ref: EventRef): Promise<OpenEvent | undefined> {
    const { destinationId } = this.options.owner;
    return untilItWorks(() => this.tryToOpen(held, ref), {
      signal: held.hold.signal,
      onFailure: (error) => this.logger.warn(`an event for ${destinationId} waits: ${error.message}`),
    });
  }

  private async tryToOpen(held: HeldBatch, ref: EventRef): Promise<OpenEvent | undefined> {
    const { contents } = this.options;
    while (held.isBurying) await sleep(BURIAL_POLL_MS, held.hold.signal);
    if (ref.part.done.has(ref.index)) return undefined;
    ref.part.busy.add(ref.index);
    const content = await contents.open(held).catch((error: unknown) => {
      ref.part.busy.delete(ref.index);
      throw error;
    });
    const close = () => {
      ref.part.busy.delete(ref.index);
      contents.close(held);
    };
    try {
      const opened = content && (await this.withOutcome(content, held, ref));
      if (!opened) close();
      return opened && { ...opened, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  private async withOutcome(
    content: BatchContent,
    held: HeldBatch,
    ref: EventRef,
  ): Promise<Omit<OpenEvent, 'close'> | undefined> {
    const { index } = ref;
    const part = content.parts[ref.part.at];
    if (!part) return undefined;
    while (!outcomeOf(held, ref)) await this.runAgain(content, held, ref);
    const outcome = outcomeOf(held, ref);
    if (outcome?.status === 'unwanted') return { part, index, after: outcome };
    const after = userStage(part.events[index] ?? {}, outcome ?? { status: 'unlinked' });
    return { part, index, after, versionId: outcome?.versionId };
  }

  /**
   * Runs user code again after the outcomes left memory: for the event, and for those of its batch that follow soon. Events that
   * wait for the same batch share one run, which may leave some of them out.
   */
  private runAgain(content: BatchContent, held: HeldBatch, ref: EventRef): Promise<void> {
    const refs = new Set(this.options.ahead.nearIn(held)).add(ref);
    const events = [...refs].map((one) => ({ held, ref: one }));
    content.running ??= this.runCode(events, true).finally(() => {
      content.running = undefined;
    });
    return content.running;
  }
}
