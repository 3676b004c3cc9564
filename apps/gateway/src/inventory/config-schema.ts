import { invalidField, type JsonObject } from '@weir/contracts';
import { checkPatterns, PATTERNS_KEYWORD, PatternInConfig, type PatternPath } from '@weir/patterns';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { invalidFields } from '../http/validate.js';

export type ConfigCheck = ValidateFunction;

/**
 * Compiles a definition's `configSchema` (JSON Schema 2020-12). Keeps unknown keys (ruling 28). Ignores formats, which the
 * destination checks itself. The schema checks types, patterns and required keys.
 */
export function compileConfigSchema(schema: JsonObject): ConfigCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addKeyword({ keyword: PATTERNS_KEYWORD, type: 'object', errors: 'full', validate: linearPatterns });
  // Each definition gets its own compiler, so that their `$id`s cannot clash.
  return ajv.compile(schema);
}

/** Accepts a customer's pattern only if the deliverer can match it in linear time. */
const linearPatterns: SchemaValidateFunction = (places: PatternPath[], config: JsonObject): boolean => {
  try {
    checkPatterns(config, places);
    return true;
  } catch (error) {
    if (!(error instanceof PatternInConfig)) throw error;
    const instancePath = error.path.map((key) => `/${key}`).join('');
    linearPatterns.errors = [{ keyword: PATTERNS_KEYWORD, instancePath, message: error.reason }];
    return false;
  }
};

/** The required settings that are missing. Throws `invalid` with all other problems by field: `config.url must be string`. */
export function missingSettings(check: ConfigCheck, config: JsonObject): string[] {
  if (check(config)) return [];
  const errors = check.errors ?? [];
  if (!errors.every(isMissing)) throw invalidFields(errors.map((error) => [fieldOf(error), problemOf(error)]));
  const missing = errors.filter(({ keyword }) => keyword === 'required').map(({ params }) => params['missingProperty']);
  return [...new Set(missing as string[])];
}

/** Keywords that fail with a missing setting: `required` itself, and those around it. */
const MISSING = ['required', 'if', 'anyOf', 'oneOf', 'allOf'];

/** A setting that nobody has given yet. An item of a list is given, so it must be whole. */
const isMissing = ({ keyword, instancePath }: ErrorObject) => instancePath === '' && MISSING.includes(keyword);

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : [];
  return ['config', ...path, ...missing].join('.');
}

const unescapePointer = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

function problemOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
  if (keyword === 'pattern') return 'has an unexpected form';
  return message ?? 'is invalid';
}

/** Keys that could reach a prototype if later code merges or copies a configuration (security-reliability 3.5). */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** Throws `invalid` naming the key. `json-body.ts` has already bounded the depth. */
export function refuseUnsafeKeys(value: unknown, at = 'config'): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) throw invalidField(`${at}.${key}`, 'is not allowed as a key');
    refuseUnsafeKeys(item, `${at}.${key}`);
  }
}
