import { describe, expect, it } from '@jest/globals';
import { EVENT_DEPTH_MAX } from '@weir/contracts';
import { PIXEL, pixelEvent } from './made-events.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const time = '2026-03-01T10:00:00.000Z';

describe('the event of an image', () => {
  it('has the fields of its query, and the defaults of every image', () => {
    expect(pixelEvent('track', { writeKey: 'key', anonymousId: 'a', event: 'Seen' }, NOW)).toEqual({
      channel: 'web',
      integrations: { All: true },
      originalTimestamp: time,
      sentAt: time,
      anonymousId: 'a',
      event: 'Seen',
    });
  });

  it('has objects where keys are paths', () => {
    const query = { 'properties.price': '7', 'properties.item.sku': 's', 'context.page.url': 'https://a.example/' };
    expect(pixelEvent('track', query, NOW)).toMatchObject({
      properties: { price: '7', item: { sku: 's' } },
      context: { page: { url: 'https://a.example/' } },
    });
  });

  it('may override the defaults of every image', () => {
    const query = { channel: 'email', 'integrations.All': 'false', sentAt: '2026-01-01T00:00:00Z' };
    expect(pixelEvent('track', query, NOW)).toMatchObject({
      channel: 'email',
      integrations: { All: 'false' },
      sentAt: '2026-01-01T00:00:00Z',
    });
  });

  it('takes the first of several values, and the later of a value and an object', () => {
    expect(pixelEvent('track', { event: ['a', 'b'] }, NOW)).toMatchObject({ event: 'a' });
    expect(pixelEvent('track', { traits: 'x', 'traits.y': 'z' }, NOW)).toMatchObject({ traits: { y: 'z' } });
    expect(pixelEvent('track', { 'traits.y': 'z', traits: 'x' }, NOW)).toMatchObject({ traits: 'x' });
  });

  it.each([
    [{}, 'Unknown Page'],
    [{ name: '' }, 'Unknown Page'],
    [{ name: 'Home' }, 'Home'],
  ])('of a page with %p is called %s', (query, name) => {
    expect(pixelEvent('page', query, NOW)).toMatchObject({ name });
  });

  it('takes the names of a prototype as data', () => {
    const event = pixelEvent('track', { '__proto__.polluted': '1', 'constructor.prototype.polluted': '1' }, NOW);
    expect(JSON.stringify(event)).toContain(
      '"__proto__":{"polluted":"1"},"constructor":{"prototype":{"polluted":"1"}}',
    );
    expect({}).not.toHaveProperty('polluted');
  });

  it('nests no deeper than other events', () => {
    const deep = (levels: number) => () => pixelEvent('track', { [Array(levels).fill('a').join('.')]: '1' }, NOW);
    expect(deep(EVENT_DEPTH_MAX)).not.toThrow();
    expect(deep(EVENT_DEPTH_MAX + 1)).toThrow('invalid json');
  });
});

it('the image is a GIF', () => {
  expect(PIXEL.subarray(0, 6).toString('latin1')).toBe('GIF89a');
});
