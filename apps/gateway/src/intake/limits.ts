/**
 * Default limit of events per second, per source and process. Later stages sustain less for one source, so this only stops
 * accidents.
 */
export const SOURCE_EVENTS_PER_SECOND_DEFAULT = 100_000;
/** Events in one batch. The intake adds bytes to each event, so a limit on bytes alone would not bound the work. */
export const BATCH_EVENTS_MAX = 10_000;
