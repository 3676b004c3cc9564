/**
 * Events a second that one process takes from one source by default: more than the rest of the way can carry on for one
 * source, so that it stops accidents only.
 */
export const SOURCE_EVENTS_PER_SECOND_DEFAULT = 100_000;
/** Events of one batch. Each grows by what the intake adds, so bytes alone would not bound the work. */
export const BATCH_EVENTS_MAX = 10_000;
