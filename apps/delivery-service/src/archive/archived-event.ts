import { isJsonObject, type JsonObject } from '@weir/contracts';

/** A line of a segment: an event as it was accepted, and where it stood. */
export interface ArchivedEvent {
  /** Place of its message in the stream. */
  sequence: number;
  /** Place of its batch within the message. */
  position: number;
  /** Place within the batch. */
  index: number;
  batchId: string;
  /** Intake of its batch, ISO 8601. */
  receivedAt: string;
  event: JsonObject;
}

export const lineOf = (archived: ArchivedEvent): string => `${JSON.stringify(archived)}\n`;

/** Undefined for a line that the archive did not write. */
export function archivedIn(line: Buffer): ArchivedEvent | undefined {
  try {
    const read: unknown = JSON.parse(line.toString('utf8'));
    return isJsonObject(read) && isJsonObject(read['event']) && typeof read['sequence'] === 'number'
      ? (read as unknown as ArchivedEvent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The order of events within one stream. */
export const compareEvents = (a: Place, b: Place): number =>
  a.sequence - b.sequence || a.position - b.position || a.index - b.index;

export type Place = Pick<ArchivedEvent, 'sequence' | 'position' | 'index'>;
