import { AppError, type JsonObject } from '@weir/contracts';
import { checkPatterns, PATTERNS_KEYWORD, PatternInConfig, type PatternPlace } from '@weir/patterns';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';

export type ConfigCheck = ValidateFunction;

/** Problems that one answer lists. */
const PROBLEMS_MAX = 20;

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
const linearPatterns: SchemaValidateFunction = (places: PatternPlace[], config: JsonObject): boolean => {
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

/** Throws `invalid` with all problems by field: `config.webhookUrl is required`. */
export function checkConfig(check: ConfigCheck, config: JsonObject): void {
  if (check(config)) return;
  const problems = (check.errors ?? [])
    .slice(0, PROBLEMS_MAX)
    .map((error) => [fieldOf(error), problemOf(error)] as const);
  const message = problems.map(([field, problem]) => `${field} ${problem}`).join('; ');
  throw new AppError('invalid', message, Object.fromEntries(problems));
}

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
