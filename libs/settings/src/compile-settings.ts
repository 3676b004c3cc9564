import { checkPatterns, PATTERNS_KEYWORD, PatternInConfig, type PatternPath } from '@weir/patterns';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';

export type Settings = Readonly<Record<string, unknown>>;

/** A setting that does not fit its kind. */
export interface SettingProblem {
  /** Keys that lead to it, such as `['headers', '0', 'to']`. */
  path: readonly string[];
  /** A predicate of the setting: `must be a string`. */
  problem: string;
  /** Whether the text quotes a part of the value, which may be a secret. */
  quotesValue: boolean;
}

/** Lists every setting that does not fit, and the required ones that are missing. A kind that lacks settings can be stored. */
export type SettingsCheck = (settings: Settings) => { problems: SettingProblem[]; missing: string[] };

/**
 * Compiles a definition's `configSchema` (JSON Schema 2020-12). Accepts unknown keys (ruling 28). Ignores formats, which the
 * destination checks itself. The schema checks types, patterns and required keys.
 */
export function compileSettings(schema: Settings): SettingsCheck {
  // Each definition gets its own compiler, so that their `$id`s cannot clash.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addKeyword({ keyword: PATTERNS_KEYWORD, type: 'object', errors: 'full', validate: linearPatterns });
  const fits = ajv.compile(schema);
  return (settings) => {
    const errors = fits(settings) ? [] : (fits.errors ?? []);
    const missing = errors.filter(isMissing).filter(({ keyword }) => keyword === 'required');
    const unsafe = unsafeKey(settings);
    return {
      problems: [
        ...(unsafe ? [{ path: unsafe, problem: 'is not allowed as a key', quotesValue: false }] : []),
        ...errors.filter((error) => !isMissing(error)).map(told),
      ],
      missing: [...new Set(missing.map(({ params }) => String(params['missingProperty'])))],
    };
  };
}

/** Accepts a customer's pattern only if the deliverer can match it in linear time. */
const linearPatterns: SchemaValidateFunction = (places: PatternPath[], settings: Settings): boolean => {
  try {
    checkPatterns(settings, places);
    return true;
  } catch (error) {
    if (!(error instanceof PatternInConfig)) throw error;
    const instancePath = error.path.map((key) => `/${key}`).join('');
    linearPatterns.errors = [{ keyword: PATTERNS_KEYWORD, instancePath, message: error.reason }];
    return false;
  }
};

/** Keywords that fail with a missing setting: `required` itself, and those around it. */
const MISSING = ['required', 'if', 'anyOf', 'oneOf', 'allOf'];

/** A setting that nobody has given yet. An item of a list is given, so it must be whole. */
const isMissing = ({ keyword, instancePath }: ErrorObject) => instancePath === '' && MISSING.includes(keyword);

function told(error: ErrorObject): SettingProblem {
  const { instancePath, keyword, params } = error;
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  return {
    path: keyword === 'required' ? [...path, String(params['missingProperty'])] : path,
    problem: problemOf(error),
    quotesValue: keyword === PATTERNS_KEYWORD,
  };
}

const unescapePointer = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

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
function problemOf({ keyword, params, message }: ErrorObject): string {
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

/** Keys that could reach a prototype if later code merges or copies a configuration (security-reliability 3.5). */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** The path of the first unsafe key, at any depth. Undefined if there is none. */
export function unsafeKey(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) return [key];
    const deeper = unsafeKey(item);
    if (deeper) return [key, ...deeper];
  }
  return undefined;
}
