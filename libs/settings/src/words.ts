import type { ErrorObject } from 'ajv';

/** Types of JSON in words, after "must be". */
export const TYPE_NAMES = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
} as const;

/** The problem of a setting, as a predicate that names what is allowed. */
export function problemOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'type') return `must be ${typesOf(params['type'])}`;
  if (keyword === 'enum') return `must be one of ${given(params['allowedValues']).join(', ')}`;
  if (keyword === 'pattern') return `has an unexpected form: it must match ${params['pattern']}`;
  return message ?? 'is invalid';
}

const typesOf = (types: unknown): string =>
  given(types)
    .map((type) => TYPE_NAMES[type as keyof typeof TYPE_NAMES] ?? type)
    .join(' or ');

/** Without null and the empty text: clients send these for a setting that is not given, and nobody would choose one. */
const given = (values: unknown): string[] =>
  [values]
    .flat()
    .filter((value) => value !== null && value !== 'null' && value !== '')
    .map(String);
