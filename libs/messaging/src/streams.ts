/** Batches as the intake took them. A message leaves when the filter has acknowledged it. */
export const EVENTS_RAW = 'EVENTS_RAW';
/** Batches that passed suppression. A message leaves when collector, deliverer and the archiver, if there is one, have acknowledged it. */
export const EVENTS_ACCEPTED = 'EVENTS_ACCEPTED';
/** Delivery batches, each for one destination. */
export const DELIVERIES = 'DELIVERIES';

export type StreamRole = 'filter' | 'collector' | 'deliverer' | 'archiver';
export const STREAM_OF: Record<StreamRole, string> = {
  filter: EVENTS_RAW,
  collector: EVENTS_ACCEPTED,
  deliverer: EVENTS_ACCEPTED,
  archiver: EVENTS_ACCEPTED,
};

/**
 * A message is redelivered when its holder reports no progress for this long. Holders report every third of this time, so only
 * messages that were lost on their way wait for it.
 */
export const ACK_WAIT_MS = 5_000;
/** Messages of one partition that may wait for their acknowledgement. Memory is bounded in bytes (`partition-consumers.ts`). */
export const MAX_ACK_PENDING = 256;
/** The archiver waits for many messages before it stores them, because each segment costs a request to the store. */
export const ARCHIVER_ACK_PENDING_MAX = 1_024;
/** Messages that may wait for one destination. A destination that is down for long must not fill the stream for the others. */
export const DELIVERIES_PER_DESTINATION_MAX = 10_000;

/** The owner's epoch at the time of the write. A lower epoch than the current one marks a late write (see `Lease`). */
export const EPOCH_HEADER = 'Weir-Epoch';

/** The stream of a subject. Use it for traces, because the subject itself holds ids. */
export function streamNameOf(subject: string): string {
  if (subject.startsWith('events.raw.')) return EVENTS_RAW;
  return subject.startsWith('events.accepted.') ? EVENTS_ACCEPTED : DELIVERIES;
}

export const partitionConsumer = (role: StreamRole, partition: number) => `${role}-${partition}`;
