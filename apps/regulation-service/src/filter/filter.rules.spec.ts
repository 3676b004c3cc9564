import { describe, expect, it } from '@jest/globals';
import type { EventBatch, JsonObject } from '@weir/contracts';
import type { Passage } from '../suppression/passage.js';
import { acceptedEvents, passagesOf } from './filter.rules.js';

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
