import { describe, expect, it } from '@jest/globals';
import { BATCH_BYTES_MAX, EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';
import fc from 'fast-check';
import { parseEvents, type Taken } from './parse-events.js';
import { batchIdOf, splitParts } from './split.js';

const SOURCE = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const take = async (batch: JsonObject[]): Promise<Taken[]> =>
  (await parseEvents('batch', Buffer.from(JSON.stringify({ batch })))).events;
const idOf = async (batch: JsonObject[], source = SOURCE, part = 0) => batchIdOf(source, part, await take(batch));

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

  it('differs by source, by part and by order', async () => {
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

describe('splitParts', () => {
  const frame = JSON.stringify({ userId: 'u', text: '' }).length;
  const sized = (bytes: number) => ({ userId: 'u', text: 'x'.repeat(bytes - frame) });

  it('keeps what fits together', async () => {
    expect(splitParts(await take([sized(100), sized(100)]))).toHaveLength(1);
  });

  it('keeps every event, in order, in parts below the limit', async () => {
    const sizes = fc.array(fc.integer({ min: 30, max: EVENT_BYTES_MAX / 2 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, async (all) => {
        const events = await take(all.map(sized));
        const parts = splitParts(events);
        expect(parts.flat()).toEqual(events);
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          const bytes = part.reduce((sum, { content }) => sum + content.length, 0);
          expect(bytes).toBeLessThan(BATCH_BYTES_MAX);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gives the largest events a part each', async () => {
    expect(splitParts(await take([sized(EVENT_BYTES_MAX), sized(EVENT_BYTES_MAX)]))).toHaveLength(2);
  });
});
