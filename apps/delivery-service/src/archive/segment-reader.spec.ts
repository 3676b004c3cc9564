import { describe, expect, it } from '@jest/globals';
import { archivedIn, lineOf, type ReadEvent } from './archived-event.js';
import { nameOfSegment, segmentOf } from './segment-name.js';
import { merged } from './segment-reader.js';

const at = (sequence: number, batchId = `b${sequence}`): ReadEvent => ({
  ...{
    sequence,
    position: 0,
    index: 0,
    sourceId: 's',
    batchId,
    receivedAt: '2026-03-01T10:00:00.000Z',
    event: {},
    bytes: 2,
  },
});

/** Merges segments of these sequences, and notes which are open together. */
async function read(...segments: ReadEvent[][]) {
  const open = new Set<object>();
  let most = 0;
  async function* linesOf({ lines }: { first: number; lines: ReadEvent[] }) {
    open.add(lines);
    most = Math.max(most, open.size);
    yield* lines;
    open.delete(lines);
  }
  const sorted = segments.map((lines) => ({ first: lines[0]?.sequence ?? 0, lines }));
  const sequences: number[] = [];
  const inOrder = sorted.toSorted((a, b) => a.first - b.first);
  for await (const { sequence } of merged(inOrder, linesOf)) sequences.push(sequence);
  return { sequences, most };
}

describe('segments of one stream', () => {
  it('that follow each other are read one after the other', async () => {
    expect(await read([at(1), at(2)], [at(3)], [at(4), at(5)])).toEqual({ sequences: [1, 2, 3, 4, 5], most: 1 });
  });

  it.each([
    [
      'the end again',
      [
        [at(1), at(2), at(3)],
        [at(3), at(4)],
      ],
      [1, 2, 3, 4],
    ],
    [
      'a part again',
      [
        [at(1), at(2), at(3), at(4)],
        [at(2), at(3)],
      ],
      [1, 2, 3, 4],
    ],
    [
      'what others lack',
      [
        [at(1), at(4)],
        [at(1), at(2), at(3), at(4)],
      ],
      [1, 2, 3, 4],
    ],
    [
      'three at once',
      [
        [at(1), at(5)],
        [at(2), at(5)],
        [at(3), at(5)],
      ],
      [1, 2, 3, 5],
    ],
  ])('that hold %s give each event once, in order', async (_, segments, sequences) => {
    expect((await read(...segments)).sequences).toEqual(sequences);
  });

  it('keep two batches with the same place, because a stream may have been made anew', async () => {
    expect((await read([at(1, 'old')], [at(1, 'new')])).sequences).toEqual([1, 1]);
  });
});

describe('a line', () => {
  it('tells the size of its event, whatever the names before it hold', () => {
    const event = { type: 'track', event: '"event":', properties: { text: 'ä🚀' } };
    const { bytes: _, ...written } = { ...at(7, 'a"event":{'), event };
    expect(archivedIn(Buffer.from(lineOf(written)))).toEqual({
      ...written,
      bytes: Buffer.byteLength(JSON.stringify(event)),
    });
  });
});

describe('the name of a segment', () => {
  const segment = {
    ...{ workspaceId: 'w', shelf: 's', hour: '2026-03-01T10', partition: 7, stream: 1_764_000_000_000 },
    ...{ first: 12, last: 345, digest: '0123456789abcdef' },
  };

  it('is read as it is written, and sorted by sequence', () => {
    const name = nameOfSegment(segment);
    expect(name).toBe('w/s/2026-03-01/10/07-1764000000000-0000000000000012-0000000000000345-0123456789abcdef.jsonl.gz');
    expect(segmentOf(name)).toEqual(segment);
    expect(name < nameOfSegment({ ...segment, first: 100 })).toBe(true);
  });

  it.each(['w/s/2026-03-01/10/notes.txt', 'w/s/notes/10/07-1-2-3-4.jsonl.gz', ''])('is not %j', (name) => {
    expect(segmentOf(name)).toBeUndefined();
  });
});
