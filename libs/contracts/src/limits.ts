/** Default limit of a NATS server for one message. */
export const MESSAGE_BYTES_MAX = 1_048_576;
/** Share of a message for its payload. The rest is for headers and the envelope. */
export const PAYLOAD_BYTES_MAX = MESSAGE_BYTES_MAX - 16_384;

/** Size of one event. Larger ones are refused with 413 (architecture section 1). */
export const EVENT_BYTES_MAX = 524_288;
/** Size of the events in one stream message. Leaves room below PAYLOAD_BYTES_MAX for the other fields of the batch. */
export const BATCH_BYTES_MAX = 917_504;
/** Body of one intake request, after decompression (wire-facts 6.4). */
export const INTAKE_BODY_BYTES_MAX = 4_096_000;
/** Deepest nesting that the intake accepts in an event. */
export const EVENT_DEPTH_MAX = 200;

/** Characters of names and external ids of code. Names appear in stack traces and lists. */
export const NAME_CHARS_MAX = 256;
/** Encoded code of one revision. */
export const CODE_BYTES_MAX = 262_144;
/**
 * Encoded code of a transformation with everything that it imports. It shares a NATS message with an event of EVENT_BYTES_MAX.
 */
export const BUNDLE_BYTES_MAX = 393_216;
/** Libraries that one transformation may reach. */
export const BUNDLE_LIBRARIES_MAX = 50;
/** Revisions in one publish. */
export const PUBLISH_ITEMS_MAX = 50;
/** Number of first events by which automatic rollback judges a new version. */
export const TRIAL_EVENTS = 1_000;
/** Sampled events that one publish replays. */
export const REPLAY_SAMPLES_MAX = 100;
/**
 * Default and maximum `count` of a list of versions. The default is from spec section 8. The maximum is ours: a history that one
 * answer can stream.
 */
export const VERSIONS_COUNT_DEFAULT = 5;
export const VERSIONS_COUNT_MAX = 100_000;

/** Users of one regulation request. */
export const REGULATION_USERS_MAX = 5_000;
/** Records per page of `GET /v2/regulations` (ruling 15). */
export const REGULATION_PAGE_SIZE = 50;

/** Destinations that `testSource` fans out to, and how many run at a time. */
export const TEST_SOURCE_DESTINATIONS_MAX = 50;
export const TEST_SOURCE_CONCURRENCY = 5;

/** Bytes of a destination's response that the Test API shows and that delivery keeps. */
export const RESPONSE_BYTES_MAX = 262_144;
/** Time limit for a destination's complete response. */
export const DELIVERY_TIMEOUT_MS = 10_000;
/** How long a payload may wait for others to form a batch. A deletion waits the same time before it begins. */
export const BATCH_WAIT_MS_MAX = 1_000;

/** Rows per page of an inventory list. */
export const INVENTORY_PAGE_SIZE = 50;
/** Partitions of the event streams. All events of a user of a source go to one partition, so order holds per user. */
export const PARTITIONS = 16;
