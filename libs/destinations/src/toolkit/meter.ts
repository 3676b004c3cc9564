import { AppError, EVENT_BYTES_MAX } from '@weir/contracts';

/**
 * Approximate JSON size of all payloads of one event. Kinds repeat parts of an event for each product, group or mapped key. Four
 * times the largest event covers everything that vendors accept, and prevents growth to gigabytes.
 */
const SIZE_MAX = 4 * EVENT_BYTES_MAX;
/** Size of a key, a number or a brace, with its separator. */
const PART_SIZE = 4;

/**
 * Returns a function that adds up the size of values, repeated ones each time. It refuses the event once the total is too large.
 */
export function meter(): (value: unknown) => void {
  let left = SIZE_MAX;
  const take = (value: unknown): void => {
    left -= typeof value === 'string' ? value.length + PART_SIZE : PART_SIZE;
    if (left < 0) throw new AppError('invalid', `The event makes more than ${SIZE_MAX} bytes for this destination`);
    if (Array.isArray(value)) {
      for (const item of value) take(item);
    } else if (typeof value === 'object' && value !== null) {
      // avoids a list of entries per object, because an event may have hundreds of thousands of objects
      for (const key in value) {
        left -= key.length;
        take((value as Record<string, unknown>)[key]);
      }
    }
  };
  return take;
}
