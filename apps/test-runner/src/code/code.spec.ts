import { describe, expect, it } from '@jest/globals';
import { chunksOf } from './chunks.js';
import { eventMetadata } from './event-metadata.js';
import { LruCache } from './lru-cache.js';

describe('chunksOf', () => {
  it.each([
    [[1, 2, 3, 4, 5], { itemsMax: 2, bytesMax: 100 }, [[1, 2], [3, 4], [5]]],
    [['aaaa', 'bbbb', 'c'], { itemsMax: 9, bytesMax: 14 }, [['aaaa', 'bbbb'], ['c']]],
    [
      ['small', 'far too large to fit', 'small'],
      { itemsMax: 9, bytesMax: 10 },
      [['small'], ['far too large to fit'], ['small']],
    ],
    [[], { itemsMax: 9, bytesMax: 9 }, []],
  ])('cuts %j by %j', (items, limits, chunks) => {
    expect(chunksOf<unknown>(items, limits)).toEqual(chunks);
  });
});

describe('LruCache', () => {
  it('forgets what was not used for longest', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([1, undefined, 3, 2]);
  });
});

describe('eventMetadata', () => {
  const destination = { id: 'd1', name: 'Hook', type: 'WEBHOOK' };
  it('holds what is known', () => {
    const event = { type: 'track', event: 'Paid', name: 'not this', messageId: 'm1', receivedAt: 'now' };
    expect(eventMetadata(event, { workspaceId: 'w1', sourceId: 's1', destination })).toEqual({
      workspaceId: 'w1',
      sourceId: 's1',
      destinationId: 'd1',
      destinationName: 'Hook',
      destinationType: 'WEBHOOK',
      messageId: 'm1',
      eventName: 'Paid',
      eventType: 'track',
      receivedAt: 'now',
    });
  });

  it('leaves out what is not', () => {
    const metadata = eventMetadata({ type: 'page', name: 'Home' }, { workspaceId: 'w1', destination });
    expect(metadata).toMatchObject({ eventName: 'Home', eventType: 'page' });
    expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['sourceId']));
    expect(metadata).not.toHaveProperty('messageId');
  });
});
