import { AppError, EVENT_BYTES_MAX } from '@weir/contracts';

/**
 * Of all that one event becomes for a destination, as JSON about. Kinds repeat parts of an event: for each product, for each group, for
 * each key that is mapped from it. Four times the largest event is room for all that vendors take, and keeps it from growing to gigabytes.
 */
const SIZE_MAX = 4 * EVENT_BYTES_MAX;
/** Of a key, a number or a brace with what separates it from the next. */
const PART_SIZE = 4;

/** Counts the values that it is given, repeated ones each time, and refuses the event when they are too much together. */
export function meter(): (value: unknown) => void {
  let left = SIZE_MAX;
  const take = (value: unknown): void => {
    left -= typeof value === 'string' ? value.length + PART_SIZE : PART_SIZE;
    if (left < 0) throw new AppError('invalid', `The event makes more than ${SIZE_MAX} bytes for this destination`);
    if (Array.isArray(value)) {
      for (const item of value) take(item);
    } else if (typeof value === 'object' && value !== null) {
      // no list of entries for each: an event may have hundreds of thousands of objects
      for (const key in value) {
        left -= key.length;
        take((value as Record<string, unknown>)[key]);
      }
    }
  };
  return take;
}
