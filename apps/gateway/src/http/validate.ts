import { AppError } from '@weir/contracts';
import { TYPE_NAMES } from '@weir/settings';
import { z } from 'zod';

/** Problems that one answer lists. A body can have thousands. */
export const PROBLEMS_MAX = 20;
/** Characters of a caller's name that an answer repeats. */
const SHOWN_CHARS_MAX = 64;

/**
 * Parses a body and drops unknown keys. A missing body counts as `{}`. Throws `invalid` with `{field: problem}` in the details
 * and fields in the caller's spelling.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  if (value === undefined && isBodyRequired(schema)) throw new AppError('invalid', 'A JSON body is required');
  return parse(schema, value === undefined ? {} : value, 'body');
}

/** Whether a request must have a body. False if all its fields are optional. */
export const isBodyRequired = (schema: z.ZodType): boolean => !schema.safeParse({}).success;

/**
 * Parses a query string. Refuses repeated parameters, except those whose schema takes a list. Also refuses unknown ones unless
 * `isOpen`: a caller who asks for `limit=5` must not get everything.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Record<string, unknown>,
  isOpen = false,
): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const twice = known.filter(
    (name) => Array.isArray(query[name]) && !schema.shape[name].safeParse(query[name]).success,
  );
  if (twice.length > 0) throw invalidFields(twice.map((name) => [name, 'must be given once']));
  const unknown = isOpen ? [] : Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unknownParameters(unknown, known);
  return parse(schema, query, 'query');
}

function unknownParameters(unknown: readonly string[], known: readonly string[]): AppError {
  const problem = `is not a parameter of this path, which takes ${known.join(', ') || 'none'}`;
  return invalidFields(unknown.map((name) => [cut(name), problem]));
}

const cut = (text: string) => (text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text);

/** Parses path parameters. A value that cannot be an id gets the same 404 as an unknown one (ruling 26). */
export function parseParams<Schema extends z.ZodObject>(schema: Schema, params: unknown): z.output<Schema> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('not_found', result.error.issues[0]?.message ?? 'There is nothing at this path');
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value, { error: problemOf });
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.map((issue) => [issue.path.join('.') || whole, issue.message]));
}

/** Joins the first problems into `name is required; type must be a string`, and lists them by field. */
export function invalidFields(found: readonly (readonly [field: string, problem: string])[]): AppError {
  const listed = found.slice(0, PROBLEMS_MAX);
  const message = listed.map(([field, problem]) => `${field} ${problem}`).join('; ');
  return new AppError('invalid', message, Object.fromEntries(listed));
}

/** Types of zod in words. */
const NAMES: Record<string, string> = { ...TYPE_NAMES, int: TYPE_NAMES.integer, record: TYPE_NAMES.object };

/** Words zod's issues as predicates of the field. A schema's own message takes precedence. */
export function problemOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required';
    return `must be ${NAMES[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${bound(issue, issue.minimum)}`;
  if (issue.code === 'too_big') return `must be at most ${bound(issue, issue.maximum)}${sizeOf(issue.input)}`;
  if (issue.code === 'invalid_value') {
    return issue.input === undefined ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_format')
    return issue.format === 'regex' ? 'has an unexpected form' : `must be a valid ${issue.format}`;
  if (issue.code === 'invalid_union') return issue.input === undefined ? 'is required' : 'has an unexpected form';
  return 'is invalid';
}

/** The actual length. A number already shows how far off it is. */
function sizeOf(input: unknown): string {
  return typeof input === 'string' || Array.isArray(input) ? `, and is ${input.length}` : '';
}

function bound(issue: { origin: string }, limit: number | bigint): string {
  if (issue.origin === 'string') return `${limit} characters long`;
  return issue.origin === 'array' ? `${limit} items long` : `${limit}`;
}
