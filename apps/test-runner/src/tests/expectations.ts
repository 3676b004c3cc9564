import type { TestExpectation, TestVerdict } from '@weir/contracts';
import { COMPARISON_STEPS_MAX, Comparison, TooLargeToCompare } from './inclusion.js';
import { jsonStart } from './json-start.js';

/** Length of a value in a verdict. The result contains the whole value. */
const SHOWN_LENGTH_MAX = 500;

/**
 * Returns the expectations that the result does not meet, with the actual values taken from `seen`. An expectation that takes too
 * long to compare counts as not met. Pure.
 */
export function verdictOf(result: unknown, expectations: readonly TestExpectation[], seen = result): TestVerdict {
  const comparison = new Comparison();
  const failures = expectations.flatMap((expectation) => {
    const found = valueAt(result, expectation.pointer);
    const problem = problemOf(expectation, found, comparison);
    if (problem === undefined) return [];
    const { pointer } = expectation;
    const actual = valueAt(seen, pointer);
    return [{ pointer, expected: problem, ...(actual && { actual: shown(actual.value) }) }];
  });
  return { passed: failures.length === 0, failures };
}

/** Describes an expectation that does not hold. */
function problemOf(expectation: TestExpectation, found: Found | undefined, by: Comparison): string | undefined {
  try {
    return holds(expectation, found, by) ? undefined : inWords(expectation);
  } catch (error) {
    if (!(error instanceof TooLargeToCompare)) throw error;
    return `${inWords(expectation)}, which is too large to compare: all comparisons of a test may take ${COMPARISON_STEPS_MAX} steps`;
  }
}

function holds({ equals, includes, exists }: TestExpectation, found: Found | undefined, by: Comparison): boolean {
  if (exists !== undefined) return exists === (found !== undefined);
  if (!found) return false;
  return includes === undefined ? by.equals(found.value, equals) : by.includes(includes, found.value);
}

interface Found {
  value: unknown;
}

/** Resolves a JSON Pointer (RFC 6901). Returns undefined if it leads nowhere. */
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

const json = (value: unknown): string => jsonStart(value, SHOWN_LENGTH_MAX).slice(0, SHOWN_LENGTH_MAX);

/** Shortens a long value to the beginning of its JSON. */
function shown(value: unknown): unknown {
  const start = jsonStart(value, SHOWN_LENGTH_MAX);
  return start.length > SHOWN_LENGTH_MAX ? `${start.slice(0, SHOWN_LENGTH_MAX)}…` : value;
}
