import type { JsonSchema } from './schemas.js';

/**
 * The same schema for generators of typed languages. They know one type, which may also be null: several types become `anyOf`. A list of
 * texts to choose from says that they are texts.
 */
export const typed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => (isObject(value) ? withOneType(value) : value));

function withOneType(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
    return { ...rest, anyOf: type.map((one) => ({ type: one })) };
  const { enum: choices } = rest;
  const areTexts = Array.isArray(choices) && choices.every((one) => typeof one === 'string');
  return areTexts && type === undefined ? { type: 'string', ...rest } : schema;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
