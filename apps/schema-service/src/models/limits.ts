import { PAYLOAD_BYTES_MAX } from '@weir/contracts';

/** Bytes of one page. The rest of a message is for field names and the envelope. */
export const PAGE_BYTES_MAX = 786_432;
/** Bytes of frequent values in one reply. Samples take at most 5 * 10 KiB beside them. */
export const FREQUENT_VALUES_BYTES_MAX = PAYLOAD_BYTES_MAX - 131_072;
