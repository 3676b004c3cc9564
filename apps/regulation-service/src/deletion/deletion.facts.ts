/**
 * Fact (core NATS) that the outbox publishes once a regulation with deletions is committed. It only wakes the eraser early. The
 * tasks are the truth, and the eraser also polls them.
 */
export const DELETION_REQUESTED_SUBJECT = 'regulation.deletion.requested.v1';
