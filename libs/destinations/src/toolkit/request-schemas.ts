import type { JsonObject } from '@weir/contracts';

/** Schema of a text that is not empty. */
export const FILLED_TEXT = { type: 'string', minLength: 1 };
/** Schema of an id, which may be a number. */
export const FILLED_ID = { type: ['string', 'number'], minLength: 1 };

/** Schema of an object with these keys. */
export const objectWith = (required: readonly string[], properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  required,
  properties,
});

/** Schema of a list that is not empty. */
export const filledList = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 1, items });
