import { describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { EventBatch } from '@weir/contracts';
import { type GroupPublisher, type Part, SLICE_MS, type StreamMessage } from '@weir/messaging';
import { countTurns, eventBatch, holdLoop } from '@weir/testing';
import type { SuppressionService } from '../suppression/suppression.service.js';
import { BatchFilter } from './batch-filter.js';
import type { DeadLetterRepository } from './dead-letter.repository.js';
import type { FilterMetrics } from './filter.metrics.js';

const MESSAGES = 5;

function message(batch: EventBatch, read: () => unknown, write: () => string): StreamMessage {
  const data = Buffer.from(JSON.stringify(batch));
  const nothing = () => undefined;
  return {
    ...{ subject: 'events.raw.0.w.s', sequence: 1, part: 0, redelivered: false, deliveryCount: 1, epoch: 0, data },
    ...{ json: read, text: write, ack: nothing, nak: nothing, term: nothing, working: nothing },
    ...{ isDone: false, epoch: 0, trace: ROOT_CONTEXT },
  };
}

describe('many large messages in a row', () => {
  it('are read and written with turns for everybody else in between, and go out in one turn, in order', async () => {
    const turns = countTurns();
    const at = { read: [] as number[], written: [] as number[], published: [] as number[] };
    /** Takes at least one slice, like reading or writing a large message. */
    const work = <T>(begun: number[], value: T): T => {
      begun.push(turns.count);
      holdLoop(SLICE_MS);
      return value;
    };
    const published: string[] = [];
    const publisher = {
      publish: async (_subject: string, { id }: Part) => {
        published.push(id);
        at.published.push(turns.count);
      },
    };
    const batches = Array.from({ length: MESSAGES }, (_, n) => eventBatch({ events: [{ type: 'track', n }] }));
    const messages = batches.map((batch) =>
      message(
        batch,
        () => work(at.read, batch),
        () => work(at.written, JSON.stringify(batch)),
      ),
    );
    const filter = new BatchFilter(
      { lookUp: async () => () => false } as unknown as SuppressionService,
      publisher as unknown as GroupPublisher,
      {} as DeadLetterRepository,
      { count: () => undefined } as unknown as FilterMetrics,
    );
    await filter.filter(messages);
    turns.stop();
    expect(new Set(at.read).size).toBe(MESSAGES);
    expect(new Set(at.written).size).toBe(MESSAGES);
    expect(new Set(at.published).size).toBe(1);
    expect(published).toEqual(batches.map(({ batchId }) => batchId));
  });
});
