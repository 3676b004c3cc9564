import { isJsonObject, type JsonObject } from '@weir/contracts';

/** A line of a segment: an event as it was accepted, and where it stood. */
export interface ArchivedEvent {
  /** Place of its message in the stream. */
  sequence: number;
  /** Place of its batch within the message. */
  position: number;
  /** Place within the batch. */
  index: number;
  sourceId: string;
  batchId: string;
  /** Intake of its batch, ISO 8601. */
  receivedAt: string;
  event: JsonObject;
}

export const lineOf = (archived: ArchivedEvent): string => `${JSON.stringify(archived)}\n`;

/** An event that was read from a segment. */
export interface ReadEvent extends ArchivedEvent {
  /** Size of the event as JSON. */
  bytes: number;
}

/**
 * Undefined for a line that the archive did not write.
 *
 * @param sourceId of a line that names none. Earlier versions had no segments of several sources.
 */
export function archivedIn(line: Buffer, sourceId = ''): ReadEvent | undefined {
  try {
    const read: unknown = JSON.parse(line.toString('utf8'));
    return isJsonObject(read) && isJsonObject(read['event']) && typeof read['sequence'] === 'number'
      ? { ...(read as unknown as ArchivedEvent), sourceId: String(read['sourceId'] ?? sourceId), bytes: bytesIn(line) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The event is the last field. The ids before it have escaped quotes only, so they never hold its name. */
const EVENT = '"event":';
const bytesIn = (line: Buffer): number => line.lastIndexOf('}') - line.indexOf(EVENT) - EVENT.length;

/** The order of events within one stream. */
export const compareEvents = (a: Place, b: Place): number =>
  a.sequence - b.sequence || a.position - b.position || a.index - b.index;

export type Place = Pick<ArchivedEvent, 'sequence' | 'position' | 'index'>;
