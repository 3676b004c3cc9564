import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Undefined for what is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The objects of an answer that is one object or a list of them. */
export const objectsOf = (value: unknown): JsonObject[] => [value].flat().filter(isJsonObject);
