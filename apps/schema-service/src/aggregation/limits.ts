/** Longer event names are not modelled: they are data, not names (schema-facts D3). */
export const IDENTIFIER_CHARS_MAX = 512;
/** Paths of one event; more and the event is not modelled, because a part of a shape would be a wrong shape. */
export const EVENT_PATHS_MAX = 1_024;
/** All paths of one event together. One schema fits one message (1 MiB) even when every character needs six bytes. */
export const EVENT_PATH_CHARS_MAX = 131_072;
/** Paths in the process-wide trie, and their characters. Past either the trie starts anew, so dynamic keys cannot leak. */
export const TRIE_NODES_MAX = 200_000;
export const TRIE_CHARS_MAX = 16_777_216;
/** Paths of all shapes that are remembered; each costs some 100 bytes. */
export const SHAPE_PATHS_MAX = 500_000;

/** Whole events kept as samples, of each model and of each version. */
export const SAMPLES_MAX = 5;
/** As JSON. Larger events are counted but not sampled (ruling 25). */
export const SAMPLE_BYTES_MAX = 10_240;

/** Distinct values that a path's counter keeps; what it says is wrong by at most observations / this. */
export const COUNTER_VALUES_MAX = 256;
/** Longer values count as observations but are never listed; cutting them would merge different ones. */
export const VALUE_CHARS_MAX = 256;
/** Paths with a value counter. */
export const MODEL_COUNTERS_MAX = 256;
export const VERSION_COUNTERS_MAX = 64;
/** Value counters of one model or version as stored. */
export const COUNTERS_BYTES_MAX = 1_048_576;

/** A value is frequent when one of so many observations of its path has it (spec section 8, ruling 23). */
export const FREQUENT_ONE_IN = 100;
/** And when at least this share is certain, once a counter has had to estimate. */
export const FREQUENT_CERTAIN_SHARE = 0.006;

/** A counter that has seen so many values and kept forgetting them holds identifiers: it is dropped. */
export const IDENTIFIER_LIKE_OBSERVATIONS = 1_000;

/** JSON of a model's schema. Paths beyond it are in their version only; with it every reply fits one message. */
export const MODEL_SCHEMA_BYTES_MAX = 524_288;
/** Models of one write key; events of later ones are not modelled. The operator may set another number. */
export const MODELS_PER_WRITE_KEY_MAX = 2_000;
/**
 * Versions of one model; the one unseen for longest goes first, and its key counts stay with the model. The operator may
 * set another number.
 */
export const VERSIONS_PER_MODEL_MAX = 100;
