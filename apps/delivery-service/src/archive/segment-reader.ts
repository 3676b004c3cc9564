import { Injectable } from '@nestjs/common';
import { ArchiveStore } from './archive-store.js';
import { archivedIn, compareEvents, type Place, type ReadEvent } from './archived-event.js';
import { HOUR_MS, hourFolder, hourOf, nameOfSegment, type SegmentName, startOfHour } from './segment-name.js';

/** Events of one source by the time of their intake. `from` is inclusive, `to` is exclusive. */
export interface ArchiveRange {
  workspaceId: string;
  sourceId: string;
  from: Date;
  to: Date;
}

/** Where a reader is. What it has read is before this place or at it. */
export interface ArchivePlace extends Place {
  hour: string;
  partition: number;
  stream: number;
}

/** An event of the archive, and where it is. */
export interface PlacedEvent {
  archived: ReadEvent;
  place: ArchivePlace;
}

type Group = Pick<ArchivePlace, 'hour' | 'partition' | 'stream'>;

/** Reads time ranges, hour by hour and partition by partition, so that events of a user come in their order. */
@Injectable()
export class SegmentReader {
  constructor(private readonly store: ArchiveStore) {}

  /** The events of a range after a place, each once. */
  async *events(range: ArchiveRange, after?: ArchivePlace): AsyncGenerator<PlacedEvent> {
    const first = after?.hour ?? hourOf(range.from);
    for (let at = startOfHour(first).getTime(); at < range.to.getTime(); at += HOUR_MS) {
      for (const segments of await this.groupsOf(range, hourOf(new Date(at)))) {
        const [group] = segments;
        if (!group || (after && compareGroups(group, after) < 0)) continue;
        const from = after && compareGroups(group, after) === 0 ? after : undefined;
        yield* this.eventsOf(group, segments, range, from);
      }
    }
  }

  private async groupsOf(range: ArchiveRange, hour: string): Promise<SegmentName[][]> {
    const groups = new Map<string, SegmentName[]>();
    for await (const { segment } of this.store.segments(hourFolder({ ...range, hour }))) {
      const key = `${segment.partition}/${segment.stream}`;
      groups.set(key, [...(groups.get(key) ?? []), segment]);
    }
    return [...groups.values()];
  }

  private async *eventsOf(
    { hour, partition, stream }: Group,
    segments: readonly SegmentName[],
    { from, to }: ArchiveRange,
    after?: Place,
  ): AsyncGenerator<PlacedEvent> {
    const left = segments.filter(({ last }) => !after || last >= after.sequence);
    for await (const archived of merged(left, (segment) => this.linesOf(segment))) {
      const time = Date.parse(archived.receivedAt);
      const isIn = time >= from.getTime() && time < to.getTime();
      const { sequence, position, index } = archived;
      if (isIn && (!after || compareEvents(archived, after) > 0))
        yield { archived, place: { hour, partition, stream, sequence, position, index } };
    }
  }

  /** A segment that expired meanwhile has no lines. */
  private async *linesOf(segment: SegmentName): AsyncGenerator<ReadEvent> {
    const object = await this.store.bucket.open(this.store.keyOf(nameOfSegment(segment)));
    for await (const line of object?.lines ?? []) {
      const archived = archivedIn(line);
      if (archived) yield archived;
    }
  }
}

interface Opened {
  lines: AsyncGenerator<ReadEvent>;
  next: ReadEvent;
}

/**
 * The events of segments of one stream, in order and each once. Segments overlap after a kill, because what was not acknowledged is
 * stored again. Only those that overlap are open together.
 *
 * @param segments sorted by their first sequence
 */
export async function* merged<Segment extends Pick<SegmentName, 'first'>>(
  segments: readonly Segment[],
  linesOf: (segment: Segment) => AsyncGenerator<ReadEvent>,
): AsyncGenerator<ReadEvent> {
  const waiting = [...segments];
  const open: Opened[] = [];
  let before: ReadEvent | undefined;
  try {
    while (waiting.length > 0 || open.length > 0) {
      const least = open.toSorted((a, b) => compareEvents(a.next, b.next)).at(0);
      const [first] = waiting;
      if (first && (!least || first.first <= least.next.sequence)) {
        waiting.shift();
        await advance(open, linesOf(first));
      } else if (least) {
        if (!before || !isSame(before, least.next)) yield least.next;
        before = least.next;
        open.splice(open.indexOf(least), 1);
        await advance(open, least.lines);
      }
    }
  } finally {
    for (const { lines } of open) await lines.return(undefined);
  }
}

/** Keeps the lines open if there is another one. */
async function advance(open: Opened[], lines: AsyncGenerator<ReadEvent>): Promise<void> {
  const { value, done } = await lines.next();
  if (!done) open.push({ lines, next: value });
}

const isSame = (a: ReadEvent, b: ReadEvent): boolean => compareEvents(a, b) === 0 && a.batchId === b.batchId;

const compareGroups = (a: Group, b: Group): number =>
  a.hour.localeCompare(b.hour) || a.partition - b.partition || a.stream - b.stream;
