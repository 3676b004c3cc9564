import { describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { EventBatch, JsonObject } from '@weir/contracts';
import { type GroupPublisher, type PackableBatch, SLICE_MS, type StreamMessage } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { countTurns, eventBatch, holdLoop } from '@weir/testing';
import type { Passage, SuppressionService } from '../suppression/suppression.service.js';
import { acceptedEvents, BatchFilter, passagesOf } from './batch-filter.js';
import type { SuppressedTeller } from './suppressed-teller.js';
import type { UnreadableRepository } from './unreadable.repository.js';

const MESSAGES = 5;

function message(batch: EventBatch, read: () => unknown, write: () => string): StreamMessage {
  const data = Buffer.from(JSON.stringify(batch));
  const nothing = () => undefined;
  return {
    ...{ subject: 'events.raw.0.w.s', sequence: 1, position: 0, redelivered: false, deliveryCount: 1, epoch: 0, data },
    ...{ json: read, text: write, ack: nothing, nak: nothing, term: nothing, working: nothing, keep: nothing },
    ...{ isDone: false, isKept: false, epoch: 0, trace: ROOT_CONTEXT },
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
      publish: async (_subject: string, { id }: PackableBatch) => {
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
      {} as UnreadableRepository,
      { tell: () => undefined } as unknown as SuppressedTeller,
      new Metrics('filter'),
    );
    await filter.filter(messages);
    turns.stop();
    expect(new Set(at.read).size).toBe(MESSAGES);
    expect(new Set(at.written).size).toBe(MESSAGES);
    expect(new Set(at.published).size).toBe(1);
    expect(published).toEqual(batches.map(({ batchId }) => batchId));
  });
});

const batch = (...events: JsonObject[]): EventBatch => ({
  ...{ batchId: 'b', workspaceId: 'w', sourceId: 's', writeKey: 'k' },
  ...{ receivedAt: '2026-01-01T00:00:00.000Z', inventoryRevision: 1, events },
});
const only = (userId: string) => (passage: Passage) => passage.userId === userId;
const track = (n: number, userId?: unknown) => ({ type: 'track', n, ...(userId !== undefined && { userId }) });

describe('what passes', () => {
  it('keeps the order of what is not suppressed', () => {
    const events = acceptedEvents(batch(track(1, 'ada'), track(2, 'bob'), track(3, 'eve'), track(4)), only('bob'));
    expect(events.map(({ n }) => n)).toEqual([1, 3, 4]);
  });

  it.each([
    ['the number 42', track(1, 42), '42'],
    ['a user id with space around it', track(1, ' ada\n'), 'ada'],
    ['the previous id of an alias', { type: 'alias', userId: 'new', previousId: 'old' }, 'old'],
    ['the new id of an alias', { type: 'alias', userId: 'new', previousId: 'old' }, 'new'],
  ])('is stopped by %s', (_what, event, userId) => {
    expect(acceptedEvents(batch(event), only(userId))).toEqual([]);
  });

  it.each([
    ['another case', track(1, 'Ada')],
    ['an anonymous id', { type: 'track', anonymousId: 'ada' }],
    ['traits', { type: 'identify', userId: 'bob', traits: { userId: 'ada' } }],
    ['a previous id of anything else than an alias', { type: 'track', userId: 'bob', previousId: 'ada' }],
    ['an object', track(1, { userId: 'ada' })],
  ])('is not stopped by %s', (_what, event) => {
    expect(acceptedEvents(batch(event), only('ada'))).toEqual([event]);
  });

  it('is asked with workspace and source of the batch', () => {
    expect(passagesOf(batch(track(1, 'ada'), track(2)))).toEqual([{ workspaceId: 'w', sourceId: 's', userId: 'ada' }]);
  });
});
