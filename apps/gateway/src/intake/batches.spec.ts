import { describe, expect, it } from '@jest/globals';
import { BATCH_BYTES_MAX, EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { batchIdOf, splitIntoBatches } from './batches.js';
import { parseEvents, type Taken } from './parse-events.js';

const SOURCE = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const take = async (batch: JsonObject[]): Promise<Taken[]> =>
  (await parseEvents('batch', Buffer.from(JSON.stringify({ batch })))).events;
const idOf = async (batch: JsonObject[], source = SOURCE, position = 0) =>
  batchIdOf(source, position, await take(batch));

const event = fc.record({
  userId: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  messageId: fc.uuid(),
  properties: fc.dictionary(fc.string(), fc.jsonValue()),
});
const batch = fc.array(event, { minLength: 1, maxLength: 8 });

describe('batchIdOf', () => {
  it('is the same for a retry, whenever that was sent', async () => {
    await fc.assert(
      fc.asyncProperty(batch, fc.date({ noInvalidDate: true }), async (events, date) => {
        const resent = events.map((one) => ({ ...one, sentAt: date.toISOString() }));
        expect(await idOf(resent)).toBe(await idOf(events));
      }),
    );
  });

  it('differs when the content differs', async () => {
    await fc.assert(
      fc.asyncProperty(batch, batch, async (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(await idOf(one)).not.toBe(await idOf(other));
      }),
    );
  });

  it('differs by source, by position and by order', async () => {
    const [a, b] = [
      { userId: 'u', messageId: 'a' },
      { userId: 'u', messageId: 'b' },
    ];
    const ids = await Promise.all([
      ...[idOf([a, b]), idOf([b, a]), idOf([a, b], SOURCE, 1)],
      idOf([a, b], '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq'),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('differs by the path that gave an event its type', async () => {
    const body = Buffer.from('{"userId":"u","messageId":"m"}');
    const [page, track] = [await parseEvents('page', body), await parseEvents('track', body)];
    expect(batchIdOf(SOURCE, 0, page.events)).not.toBe(batchIdOf(SOURCE, 0, track.events));
  });

  it('is random when one event has no message id: equal events may be meant', async () => {
    const events = [
      { userId: 'u', messageId: 'm' },
      { userId: 'u', messageId: ' ' },
    ];
    expect(await idOf(events)).not.toBe(await idOf(events));
  });
});

describe('splitIntoBatches', () => {
  const frame = JSON.stringify({ userId: 'u', text: '' }).length;
  const sized = (bytes: number) => ({ userId: 'u', text: 'x'.repeat(bytes - frame) });

  it('keeps events together if they fit', async () => {
    expect(splitIntoBatches(await take([sized(100), sized(100)]))).toHaveLength(1);
  });

  it('keeps every event, in order, in batches below the limit', async () => {
    const sizes = fc.array(fc.integer({ min: 30, max: EVENT_BYTES_MAX / 2 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, async (all) => {
        const events = await take(all.map(sized));
        const batches = splitIntoBatches(events);
        expect(batches.flat()).toEqual(events);
        for (const one of batches) {
          expect(one.length).toBeGreaterThan(0);
          const bytes = one.reduce((sum, { content }) => sum + content.length, 0);
          expect(bytes).toBeLessThan(BATCH_BYTES_MAX);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gives each of the largest events a batch of its own', async () => {
    expect(splitIntoBatches(await take([sized(EVENT_BYTES_MAX), sized(EVENT_BYTES_MAX)]))).toHaveLength(2);
  });
});
