/** Batches as the intake took them; a message leaves when the filter has acknowledged it. */
export const EVENTS_RAW = 'EVENTS_RAW';
/** Batches that may pass; a message leaves when collector and deliverer have both acknowledged it. */
export const EVENTS_ACCEPTED = 'EVENTS_ACCEPTED';
/** Batches on their way to one destination each. */
export const DELIVERIES = 'DELIVERIES';

export type StreamRole = 'filter' | 'collector' | 'deliverer';
export const STREAM_OF: Record<StreamRole, string> = {
  filter: EVENTS_RAW,
  collector: EVENTS_ACCEPTED,
  deliverer: EVENTS_ACCEPTED,
};

/**
 * A message that its holder does not report on for so long is handed out again. Holders report every third of it, so
 * this is how long the messages of a killed process wait.
 */
export const ACK_WAIT_MS = 5_000;
/** Messages of one partition that a role may hold; bounds its memory at this many times 1 MiB. */
export const MAX_ACK_PENDING = 256;
/** Batches that may wait for one destination: what is down for long must not fill the stream for the others. */
export const DELIVERIES_PER_DESTINATION_MAX = 10_000;

/** The owner's epoch when it wrote: what it was before the present one is late (see `Lease`). */
export const EPOCH_HEADER = 'Weir-Epoch';

/** The stream that a subject is of; the subject itself holds ids. */
export function streamNameOf(subject: string): string {
  if (subject.startsWith('events.raw.')) return EVENTS_RAW;
  return subject.startsWith('events.accepted.') ? EVENTS_ACCEPTED : DELIVERIES;
}

export const partitionConsumer = (role: StreamRole, partition: number) => `${role}-${partition}`;
