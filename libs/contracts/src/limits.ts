/** Default limit of a NATS server for one message. */
export const MESSAGE_BYTES_MAX = 1_048_576;
/** What a payload may take of it; the rest is for headers and the envelope. */
export const PAYLOAD_BYTES_MAX = MESSAGE_BYTES_MAX - 16_384;

/** One event; more is refused with 413 (architecture section 1). */
export const EVENT_BYTES_MAX = 524_288;
/** Events of one stream message, below PAYLOAD_BYTES_MAX with room for the batch's own fields. */
export const BATCH_BYTES_MAX = 917_504;
/** Events of one intake request as sent, after decompression (wire-facts 6.4). */
export const INTAKE_BODY_BYTES_MAX = 4_096_000;
/** Deepest nesting of an event that the intake takes. */
export const EVENT_DEPTH_MAX = 200;

/** Encoded code of one revision. */
export const CODE_BYTES_MAX = 262_144;
/** Encoded code of a transformation with everything that it imports: crosses NATS beside an event of EVENT_BYTES_MAX. */
export const BUNDLE_BYTES_MAX = 393_216;
/** Libraries that one transformation may reach. */
export const BUNDLE_LIBRARIES_MAX = 50;
/** Revisions in one publish. */
export const PUBLISH_ITEMS_MAX = 50;
/** Events by which a new version is judged where automatic rollback is on. */
export const TRIAL_EVENTS = 1_000;
/** Sampled events that one publish replays. */
export const REPLAY_SAMPLES_MAX = 100;
/** Default and greatest `count` of a versions listing (spec section 8; our bound: a history that one answer may stream). */
export const VERSIONS_COUNT_DEFAULT = 5;
export const VERSIONS_COUNT_MAX = 100_000;

/** Users of one regulation request. */
export const REGULATION_USERS_MAX = 5_000;
/** Records on one page of `GET /v2/regulations` (ruling 15). */
export const REGULATION_PAGE_SIZE = 50;

/** Destinations that `testSource` fans out to, and how many at a time. */
export const TEST_SOURCE_DESTINATIONS_MAX = 50;
export const TEST_SOURCE_CONCURRENCY = 5;

/** Bytes of a destination's answer that the Test API shows and the delivery keeps. */
export const RESPONSE_BYTES_MAX = 262_144;
/** A destination's whole answer has to be there after this. */
export const DELIVERY_TIMEOUT_MS = 10_000;
/** How long a payload may wait for others that are sent with it: a deletion waits as long before it begins. */
export const BATCH_WAIT_MS_MAX = 1_000;

/** Rows on one page of an inventory list. */
export const INVENTORY_PAGE_SIZE = 50;
/** Partitions of the event streams: a source's events stay in one, so order holds per source. */
export const PARTITIONS = 16;
