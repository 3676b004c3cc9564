import { isObject, type Json, sameJson } from './json.js';
import { MASK, type Secrets } from './resources.js';

/** One difference. A secret shows where it comes from, and never a value. */
export type Change = { path: string; from: Json | undefined; to: Json | undefined } | { path: string; secret: string };

export interface Differences {
  changes: Change[];
  /** Paths of secrets that the API does not give back, so that nobody can tell whether they changed. */
  unknown: string[];
}

/** How to compare. */
export interface Comparison {
  /** Where values of the files come from. */
  secrets: Secrets;
  /** Dotted paths of secrets, through the elements of arrays. */
  secretKeys?: readonly string[];
}

/** The changes that turn `actual` into `desired`. Undefined values are left out of both. */
export function differences(desired: Json | undefined, actual: Json | undefined, how: Comparison): Differences {
  const found: Differences = { changes: [], unknown: [] };
  compareAt([], desired, actual, how, found);
  return found;
}

function compareAt(
  path: string[],
  desired: Json | undefined,
  actual: Json | undefined,
  how: Comparison,
  found: Differences,
): void {
  const origin = secretOrigin(path, how);
  if (origin !== undefined) compareSecret(path, origin, desired, actual, found);
  else if (isObject(desired) && isObject(actual))
    for (const key of new Set([...Object.keys(desired), ...Object.keys(actual)]))
      compareAt([...path, key], own(desired, key), own(actual, key), how, found);
  else if (Array.isArray(desired) && Array.isArray(actual))
    for (let at = 0; at < Math.max(desired.length, actual.length); at++)
      compareAt([...path, String(at)], desired[at], actual[at], how, found);
  else if (!sameJson(desired, actual)) found.changes.push(...changesOf(path, desired, actual, how));
}

const own = (object: Record<string, Json>, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function compareSecret(
  path: string[],
  origin: string,
  desired: Json | undefined,
  actual: Json | undefined,
  { changes, unknown }: Differences,
): void {
  if (actual === MASK && desired !== undefined) unknown.push(path.join('.'));
  else if (!sameJson(desired, actual)) changes.push({ path: path.join('.'), secret: said(origin, desired) });
}

const said = (origin: string, desired: Json | undefined): string =>
  desired === undefined ? 'secret, removed' : `secret, set from ${origin}`;

/** A new or a removed value. A resource, and what may hold a secret, is taken apart. */
function changesOf(path: string[], desired: Json | undefined, actual: Json | undefined, how: Comparison): Change[] {
  const plain: Change[] = [{ path: path.join('.'), from: actual, to: desired }];
  if (!mayHoldSecret(path, how)) return plain;
  const [to, from] = [containerOf(desired) ?? {}, containerOf(actual) ?? {}];
  const keys = new Set([...Object.keys(to), ...Object.keys(from)]);
  if (keys.size === 0) return isText(desired) || isText(actual) ? hidden(path, desired) : plain;
  const found: Differences = { changes: [], unknown: [] };
  for (const key of keys) compareAt([...path, key], to[key], from[key], how, found);
  return found.changes;
}

const isText = (value: Json | undefined): boolean => typeof value === 'string';
const hidden = (path: string[], desired: Json | undefined): Change[] => [
  { path: path.join('.'), secret: said('the files', desired) },
];

function containerOf(value: Json | undefined): Record<string, Json> | undefined {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  return isObject(value) ? value : undefined;
}

const withoutIndexes = (path: readonly string[]): string => path.filter((key) => !/^\d+$/.test(key)).join('.');

function mayHoldSecret(path: string[], { secrets, secretKeys = [] }: Comparison): boolean {
  const [exact, pattern] = [`${path.join('.')}.`, `${withoutIndexes(path)}.`];
  if (path.length === 0) return true;
  const below = (prefix: string) => (one: string) => one.startsWith(prefix);
  return Object.keys(secrets).some(below(exact)) || secretKeys.some(below(pattern));
}

/** Where the secret at this path comes from. Undefined if the value may be shown. */
function secretOrigin(path: string[], { secrets, secretKeys = [] }: Comparison): string | undefined {
  const origin = secrets[path.join('.')];
  if (origin !== undefined) return origin;
  return secretKeys.includes(withoutIndexes(path)) ? 'the files' : undefined;
}
