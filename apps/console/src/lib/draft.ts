/** The value that the server has, with its entity tag. */
export interface Stored<Value> {
  value: Value;
  etag: string | undefined;
}

/** The input so far, and what the server had when it began. */
export interface Begun<Value> extends Stored<Value> {
  base: Value;
}

export interface Seen<Value> extends Stored<Value> {
  /** Whether somebody typed something else than what is stored. */
  isChanged: boolean;
  /** The value that somebody else stored meanwhile. Missing if nobody did. */
  theirs?: Value;
}

/**
 * The value that a form shows, and the entity tag that its save has to carry. Untouched, it follows the server. The tag of what was typed stays that of
 * its beginning once somebody else has stored something else, so the server refuses to overwrite it. Other changes of the object, such as a
 * link to a destination, change its tag alone and matter to nobody's text.
 */
export function seen<Value>(stored: Stored<Value>, begun: Begun<Value> | null): Seen<Value> {
  if (!begun || isSame(begun.value, stored.value) || isSame(begun.value, begun.base))
    return { ...stored, isChanged: false };
  const { value, base, etag } = begun;
  if (isSame(stored.value, base)) return { value, etag: stored.etag, isChanged: true };
  return { value, etag, isChanged: true, theirs: stored.value };
}

/** Values of forms come from the server or from such a value, with their keys in the same order. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
