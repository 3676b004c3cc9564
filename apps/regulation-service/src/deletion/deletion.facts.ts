/**
 * Fact (core NATS) that the outbox publishes once a regulation with deletions is committed. It only wakes the eraser at once: the
 * eraser also polls the tasks, which are the truth.
 */
export const DELETION_REQUESTED_SUBJECT = 'regulation.deletion.requested.v1';
