import { type EventMetadata, isJsonObject, type JsonObject, MASK } from '@weir/contracts';
import { isPersonalText, maskedText } from './personal-text.js';

/** Whether the path or one of its ancestors is masked. */
export type IsMasked = (path: string) => boolean;

/** @param keys Dotted paths. Each also covers everything below it. */
export function maskedBy(keys: Iterable<string>): IsMasked {
  const masked = new Set(keys);
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      if (masked.has(path.slice(0, end))) return true;
    }
    return false;
  };
}

/** Replaces masked values in samples by `***`, and personal data in other texts. Leaves out such frequent values. */
export function maskMetadata(metadata: EventMetadata, isMasked: IsMasked): EventMetadata {
  const shown = Object.entries(metadata.FrequentValues)
    .filter(([path]) => !isMasked(path))
    .map(([path, values]) => [path, values.filter(({ Value }) => !isPersonalText(Value))] as const);
  return {
    ...metadata,
    SampledEvents: metadata.SampledEvents.map((event) => maskEvent(event, isMasked)),
    FrequentValues: Object.fromEntries(shown),
  };
}

/** Returns a copy. Uses an explicit stack, because customers control the depth. */
function maskEvent(event: JsonObject, isMasked: IsMasked): JsonObject {
  const copy = structuredClone(event);
  const open: [prefix: string, container: JsonObject][] = [['', copy]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [prefix, container] = next;
    for (const [key, value] of Object.entries(container)) {
      const path = prefix + key;
      if (isJsonObject(value) || Array.isArray(value)) open.push([`${path}.`, value as JsonObject]);
      else if (value !== null && isMasked(path)) setOwn(container, key, MASK);
      else if (typeof value === 'string') setOwn(container, key, maskedText(value));
    }
  }
  return copy;
}

/** Also sets a key named `__proto__`. */
const setOwn = (container: JsonObject, key: string, value: unknown) =>
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
