/** Events with a longer name or type are not modelled, because such text is data and not a name (schema-facts D3). */
export const IDENTIFIER_CHARS_MAX = 512;
/**
 * Paths of one event: 1,024 of its sender (schema-facts 1.2), and eight that the intake may add. An event with more is not modelled,
 * because a partial shape would be wrong.
 */
export const EVENT_PATHS_MAX = 1_032;
/**
 * Characters of all paths of one event, about 64 for each of its most paths. Lists of a hundred products need half of that. Longer paths
 * come from dynamic keys below a long one, and make schemas many times as large as their events.
 */
export const EVENT_PATH_CHARS_MAX = 65_536;
/**
 * Paths of the process-wide trie, and their characters. Past either limit a new trie starts, so that dynamic keys cannot leak
 * memory.
 */
export const TRIE_PATHS_MAX = 200_000;
export const TRIE_CHARS_MAX = 16_777_216;
/** Paths of all cached shapes. Each costs about 100 bytes. */
export const SHAPE_PATHS_MAX = 500_000;

/**
 * Days for which counted batches and purged users are remembered. Longer than any redelivery can take: the broker redelivers within
 * seconds, and a restored or recreated stream is younger. One number serves both, because a batch that arrives later is counted
 * again in any case.
 */
export const REMEMBERED_DAYS = 14;

/** Whole events sampled per model and per version. */
export const SAMPLES_MAX = 5;
/** Bytes of a sampled event as JSON. Larger events are counted but not sampled (ruling 25). */
export const SAMPLE_BYTES_MAX = 10_240;

/** Distinct values that a path's counter keeps. Its counts are wrong by at most observations / this. */
export const COUNTER_VALUES_MAX = 256;
/** Longer values count as observations but are never listed. Cutting them would merge different values. */
export const VALUE_CHARS_MAX = 256;
/** Paths with a value counter, per model and per version. */
export const MODEL_COUNTERS_MAX = 256;
export const VERSION_COUNTERS_MAX = 64;
/** Bytes of the stored value counters of one model or version. */
export const COUNTERS_BYTES_MAX = 1_048_576;

/** A value is frequent if at least one in this many observations of its path has it (spec section 8, ruling 23). */
export const FREQUENT_ONE_IN = 100;
/** Once a counter estimates, a frequent value also needs at least this certain share of the observations. */
export const FREQUENT_CERTAIN_SHARE = 0.006;

/** Observations after which a counter is dropped if its path turns out to hold identifiers. */
export const IDENTIFIER_LIKE_OBSERVATIONS = 1_000;

/** Bytes of a model's schema as JSON, so that every reply fits one message. Further paths appear only in their versions. */
export const MODEL_SCHEMA_BYTES_MAX = 524_288;
/**
 * Bytes of a model's schema up to which it takes new paths while its workspace is over its budget. Ordinary models have fewer, so
 * their key counts stay exact. Models with dynamic keys stop growing.
 */
export const SCARCE_SCHEMA_BYTES_MAX = 16_384;
/**
 * Bytes of statistics, versions and schemas that one workspace may store (4 GiB). A busy workspace of 50 sources with 100 models each
 * and 800 KB for each model fits, and two workspaces at the limit fit the volume of the chart. Operators can change this limit.
 */
export const WORKSPACE_BYTES_MAX = 4_294_967_296;
/** Models of one write key. Events of further models are not modelled. Operators can change this limit. */
export const MODELS_PER_WRITE_KEY_MAX = 2_000;
/**
 * Versions of one model. The one unseen for longest is removed first, and its key counts stay with the model. Operators can
 * change this limit.
 */
export const VERSIONS_PER_MODEL_MAX = 100;
/**
 * Characters of new versions that one flush writes for one workspace, with a thousand for the row of each. That is about three
 * hundred ordinary versions. Further ones count as removed, because keys that never repeat would make more schemas than events.
 */
export const NEW_VERSIONS_CHARS_MAX = 1_048_576;
