/** One object of the archive: accepted events of one shelf and hour, from one partition, in order. */
export interface SegmentName {
  workspaceId: string;
  /** The source, or the shelf that several share (`shelvesOf`). */
  shelf: string;
  /** Hour of the intake in UTC: `2026-01-31T23`. */
  hour: string;
  partition: number;
  /** When the stream was created, in milliseconds. A stream that is made anew may count from one again. */
  stream: number;
  /** Sequences of its first and its last message. */
  first: number;
  last: number;
  /** Digest of the batches in it. So only a repetition of the same segment replaces it. */
  digest: string;
}

const SUFFIX = '.jsonl.gz';
const [PARTITION_DIGITS, STREAM_DIGITS, SEQUENCE_DIGITS] = [2, 13, 16];
const FORM =
  /^([^/]+)\/([^/]+)\/(\d{4}-\d\d-\d\d)\/(\d\d)\/(\d{2})-(\d{13})-(\d{16})-(\d{16})-([0-9a-f]{16})\.jsonl\.gz$/;
const HOUR_FORM = /^\d{4}-\d\d-\d\dT\d\d$/;

export const hourOf = (time: Date | string): string => new Date(time).toISOString().slice(0, 13);
export const isHour = (text: string): boolean => HOUR_FORM.test(text);
export const startOfHour = (hour: string): Date => new Date(`${hour}:00:00.000Z`);

export const workspaceFolder = (workspaceId: string): string => `${workspaceId}/`;

/** Holds a folder for each day, which holds one for each hour. */
export const shelfFolder = ({ workspaceId, shelf }: Pick<SegmentName, 'workspaceId' | 'shelf'>): string =>
  `${workspaceId}/${shelf}/`;

/** The segments of one hour lie in one folder. */
export const hourFolder = ({ hour, ...shelf }: Pick<SegmentName, 'workspaceId' | 'shelf' | 'hour'>): string =>
  `${shelfFolder(shelf)}${hour.replace('T', '/')}/`;

/** Sorted by partition, stream and first sequence. */
export function nameOfSegment(segment: SegmentName): string {
  const { partition, stream, first, last, digest } = segment;
  const numbers = [
    digits(partition, PARTITION_DIGITS),
    digits(stream, STREAM_DIGITS),
    ...[first, last].map((sequence) => digits(sequence, SEQUENCE_DIGITS)),
  ];
  return `${hourFolder(segment)}${[...numbers, digest].join('-')}${SUFFIX}`;
}

/** Undefined for an object that is not a segment. */
export function segmentOf(name: string): SegmentName | undefined {
  const [, workspaceId = '', shelf = '', day, hour, partition, stream, first, last, digest = ''] =
    FORM.exec(name) ?? [];
  if (!day) return undefined;
  const numbers = { partition: Number(partition), stream: Number(stream), first: Number(first), last: Number(last) };
  return { workspaceId, shelf, hour: `${day}T${hour}`, ...numbers, digest };
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');
