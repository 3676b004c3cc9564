/**
 * Fact (core NATS), told by the outbox once a regulation with deletions is committed. A hint that wakes the eraser at
 * once; the tasks are the truth, and it looks for them by itself too.
 */
export const DELETION_REQUESTED_SUBJECT = 'regulation.deletion.requested.v1';
