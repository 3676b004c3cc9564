import { Injectable, Logger } from '@nestjs/common';
import { isUnreadable } from '@weir/destinations';
import { ArchiveStore } from './archive-store.js';
import { archivedIn, compareEvents, type Place, type ReadEvent } from './archived-event.js';
import { hourFolder, hourOf, isHour, nameOfSegment, type SegmentName, shelfFolder } from './segment-name.js';
import { sharedShelf } from './shelves.js';

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

/** Where the reader is, and the event there. Missing before each hour, and for an event that the range does not ask for. */
export interface Reading {
  place: ArchivePlace;
  archived?: ReadEvent;
}

/** The place before all segments of an hour. */
const BEFORE_ALL = { partition: -1, stream: 0, sequence: 0, position: 0, index: 0 };

/** The shelves that may hold events of a source. */
const shelvesOf = ({ workspaceId, sourceId }: ArchiveRange) =>
  [sourceId, sharedShelf(workspaceId, sourceId)].map((shelf) => ({ workspaceId, shelf }));

type Group = Pick<ArchivePlace, 'hour' | 'partition' | 'stream'>;

/** Reads time ranges, hour by hour and partition by partition, so that events of a user come in their order. */
@Injectable()
export class SegmentReader {
  private readonly logger = new Logger(SegmentReader.name);

  constructor(private readonly store: ArchiveStore) {}

  /**
   * The events of a range after a place, each once. Also tells how far it is while it finds none, so that whoever reads can keep the
   * place or stop. The first place that it tells is a later one than `after`. Goes on behind a segment that cannot be read, and tells so
   * once, whatever the place.
   */
  async *events(range: ArchiveRange, after?: ArchivePlace, onUnreadable: Tell = noop): AsyncGenerator<Reading> {
    for await (const hour of this.hoursOf(range, after?.hour ?? hourOf(range.from))) {
      if (hour !== after?.hour) yield { place: { hour, ...BEFORE_ALL } };
      for (const segments of await this.groupsOf(range, hour)) {
        const [group] = segments;
        if (!group || (after && compareGroups(group, after) < 0)) continue;
        const from = after && compareGroups(group, after) === 0 ? after : undefined;
        yield* this.eventsOf(group, segments, range, onUnreadable, from);
      }
    }
  }

  /** The hours that have segments, from `first` on. Those without cost no listing, so a range may be much longer than the archive. */
  private async *hoursOf(range: ArchiveRange, first: string): AsyncGenerator<string> {
    const folders = shelvesOf(range).map(shelfFolder);
    const end = range.to.toISOString();
    for (const day of await this.namesBelow(folders)) {
      if (day < first.slice(0, day.length) || day > end) continue;
      for (const name of await this.namesBelow(folders.map((folder) => `${folder}${day}/`))) {
        const hour = `${day}T${name}`;
        if (isHour(hour) && hour >= first && `${hour}:00:00.000Z` < end) yield hour;
      }
    }
  }

  /** The names of all folders below these, in order and each once. */
  private async namesBelow(folders: readonly string[]): Promise<string[]> {
    const names = new Set<string>();
    for (const folder of folders)
      for await (const below of this.store.bucket.folders(folder)) names.add(below.slice(folder.length, -1));
    return [...names].toSorted();
  }

  private async groupsOf(range: ArchiveRange, hour: string): Promise<SegmentName[][]> {
    const segments: SegmentName[] = [];
    for (const shelf of shelvesOf(range))
      for await (const { segment } of this.store.segments(hourFolder({ ...shelf, hour }))) segments.push(segment);
    segments.sort((a, b) => compareGroups(a, b) || a.first - b.first);
    return [...Map.groupBy(segments, ({ partition, stream }) => `${partition}/${stream}`).values()];
  }

  private async *eventsOf(
    { hour, partition, stream }: Group,
    segments: readonly SegmentName[],
    { sourceId, from, to }: ArchiveRange,
    onUnreadable: Tell,
    after?: Place,
  ): AsyncGenerator<Reading> {
    const left = segments.filter(({ last }) => !after || last >= after.sequence);
    for await (const archived of merged(left, (segment) => this.linesOf(segment, sourceId, onUnreadable, after))) {
      const time = Date.parse(archived.receivedAt);
      const isIn = archived.sourceId === sourceId && time >= from.getTime() && time < to.getTime();
      const { sequence, position, index } = archived;
      if (!after || compareEvents(archived, after) > 0)
        yield { place: { hour, partition, stream, sequence, position, index }, ...(isIn && { archived }) };
    }
  }

  /** A segment that expired meanwhile has no lines, and one that is damaged has those before the damage. */
  private async *linesOf(
    segment: SegmentName,
    sourceId: string,
    onUnreadable: Tell,
    after?: Place,
  ): AsyncGenerator<ReadEvent> {
    const name = nameOfSegment(segment);
    let place: Place = { sequence: segment.first, position: 0, index: 0 };
    try {
      const object = await this.store.bucket.open(this.store.keyOf(name));
      for await (const line of object?.lines ?? []) {
        const archived = archivedIn(line, sourceId);
        if (!archived) continue;
        place = archived;
        yield archived;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.logger.warn(`the segment ${name} cannot be read: ${(error as Error).message}`);
      // before the place where the reader was, it has been told already
      if (!after || compareEvents(place, after) >= 0) onUnreadable();
    }
  }
}

type Tell = () => void;
const noop: Tell = () => undefined;

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
