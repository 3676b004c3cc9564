import { describe, expect, it } from '@jest/globals';
import { segmentTransform } from './segment.kind.js';

describe('a Segment event', () => {
  it('is a batch of one, with the write key as user name', () => {
    const event = {
      type: 'page',
      userId: 7,
      name: 'Home',
      properties: { url: '/' },
      timestamp: '2026-01-01T00:00:00Z',
    };
    const [payload] = segmentTransform(event, { writeKey: 'k' });
    expect(payload).toMatchObject({ userId: '7', headers: { authorization: 'Basic azo=' } });
    expect(payload?.body.JSON).toEqual({
      batch: [{ type: 'page', userId: 7, name: 'Home', properties: { url: '/' }, timeStamp: '2026-01-01T00:00:00Z' }],
    });
  });

  it.each([
    [{ type: 'track', event: 'e' }, { writeKey: 'k' }, 'userId or anonymousId is required'],
    [{ type: 'track', userId: 'u' }, {}, "writeKey is required in the destination's configuration"],
  ])('is refused for %j with %j', (event, config, message) => {
    expect(() => segmentTransform(event, config)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });
});
