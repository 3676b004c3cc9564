import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type TestExpectation, type TestVerdict } from '@weir/contracts';

/** Of one value in a verdict; the whole of it is in the result. */
const SHOWN_LENGTH_MAX = 500;

/** Which of the expectations the result does not meet. Pure. */
export function verdictOf(result: unknown, expectations: readonly TestExpectation[]): TestVerdict {
  const failures = expectations.flatMap((expectation) => {
    const found = valueAt(result, expectation.pointer);
    if (holds(expectation, found)) return [];
    const { pointer } = expectation;
    return [{ pointer, expected: inWords(expectation), ...(found && { actual: shown(found.value) }) }];
  });
  return { passed: failures.length === 0, failures };
}

function holds({ equals, includes, exists }: TestExpectation, found: Found | undefined): boolean {
  if (exists !== undefined) return exists === (found !== undefined);
  if (!found) return false;
  return includes === undefined ? isDeepStrictEqual(found.value, equals) : isIncluded(includes, found.value);
}

/** Objects by their given keys, lists by containing each given item, texts by part; anything else by being equal. */
export function isIncluded(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string' && typeof whole === 'string') return whole.includes(part);
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item) => whole.some((one) => isIncluded(item, one)));
  }
  if (!isJsonObject(part)) return isDeepStrictEqual(part, whole);
  return (
    isJsonObject(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isIncluded(value, whole[key]))
  );
}

interface Found {
  value: unknown;
}

/** JSON Pointer (RFC 6901); undefined when it leads nowhere. */
export function valueAt(root: unknown, pointer: string): Found | undefined {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return { value };
}

function inWords({ equals, includes, exists }: TestExpectation): string {
  if (exists !== undefined) return exists ? 'to exist' : 'not to exist';
  return includes === undefined ? `to equal ${json(equals)}` : `to include ${json(includes)}`;
}

const json = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_LENGTH_MAX);
/** Long values are shown as the beginning of their JSON. */
const shown = (value: unknown): unknown =>
  (JSON.stringify(value) ?? '').length > SHOWN_LENGTH_MAX ? `${json(value)}…` : value;
