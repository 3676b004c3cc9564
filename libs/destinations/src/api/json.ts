import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Undefined for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The objects of a response that is one object or a list. */
export const objectsOf = (value: unknown): JsonObject[] => [value].flat().filter(isJsonObject);
