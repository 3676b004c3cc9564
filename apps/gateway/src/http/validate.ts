import { AppError } from '@weir/contracts';
import { z } from 'zod';

/** Problems that one answer names; a body can have thousands. */
export const PROBLEMS_MAX = 20;
/** Characters that an answer repeats of a name that the caller chose. */
const SHOWN_CHARS_MAX = 64;

/**
 * Parses a body; `invalid` with `{field: problem}` in the details, fields as the caller wrote them. Unknown keys are dropped.
 * No body at all counts as `{}`.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  if (value === undefined && isBodyRequired(schema)) throw new AppError('invalid', 'A JSON body is required');
  return parse(schema, value === undefined ? {} : value, 'body');
}

/** Whether a request must have a body: not when every field of it is optional. */
export const isBodyRequired = (schema: z.ZodType): boolean => !schema.safeParse({}).success;

/**
 * Parses a query string. A parameter that is given twice is refused rather than guessed at. So is one that the path does
 * not know, unless `isOpen`: a caller who asks for `limit=5` must not get everything.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Record<string, unknown>,
  isOpen = false,
): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const twice = known.filter((name) => Array.isArray(query[name]));
  if (twice.length > 0) throw problems(twice.map((name) => [name, 'must be given once']));
  const unknown = isOpen ? [] : Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unknownParameters(unknown, known);
  return parse(schema, query, 'query');
}

function unknownParameters(unknown: readonly string[], known: readonly string[]): AppError {
  const problem = `is no parameter of this path, which takes ${known.join(', ') || 'none'}`;
  return problems(unknown.slice(0, PROBLEMS_MAX).map((name) => [cut(name), problem]));
}

const cut = (text: string) => (text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text);

/** Parses path parameters. What cannot be an id names nothing, exactly like an unknown one (ruling 26). */
export function parseParams<Schema extends z.ZodObject>(schema: Schema, params: unknown): z.output<Schema> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('not_found', result.error.issues[0]?.message ?? 'There is nothing at this path');
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value, { error: problemOf });
  if (result.success) return result.data;
  throw problems(
    result.error.issues.slice(0, PROBLEMS_MAX).map((issue) => [issue.path.join('.') || whole, issue.message]),
  );
}

/** `name is required; type must be a string`, and the same by field. */
function problems(found: (readonly [field: string, problem: string])[]): AppError {
  const message = found.map(([field, problem]) => `${field} ${problem}`).join('; ');
  return new AppError('invalid', message, Object.fromEntries(found));
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Wording of zod's issues as a predicate of the field. A schema's own message wins over this. */
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

/** How far off it is; a number says that itself. */
function sizeOf(input: unknown): string {
  return typeof input === 'string' || Array.isArray(input) ? `, and is ${input.length}` : '';
}

function bound(issue: { origin: string }, limit: number | bigint): string {
  if (issue.origin === 'string') return `${limit} characters long`;
  return issue.origin === 'array' ? `${limit} items long` : `${limit}`;
}
