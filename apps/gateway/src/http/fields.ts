import { JsonObject, ListOrder, storableText } from '@weir/contracts';
import { z } from 'zod';

/** Limit of texts that people write: names, e-mail addresses, external ids. */
const TEXT_MAX = 256;
/** Highest page number. With 50 rows each, more than any workspace may hold. */
const PAGE_MAX = 1_000_000;

/** A KSUID in a path. Any other text gets the same 404 as an unknown id. */
export const pathId = (what: string) =>
  z
    .string()
    .regex(/^[0-9A-Za-z]{27}$/, `${what} not found`)
    .meta({ description: `Id of the ${what}` });
/** Any text in a path, made safe for a database query. The lookup refuses unknown values. */
export const pathText = z.string().transform(storableText);
/** An id in a body. The lookup refuses a malformed id like an unknown one (ruling 26). */
export const bodyId = z.string();
/** A UUID in a path. */
export const pathUuid = (what: string) => z.uuid(`${what} not found`).meta({ description: `Id of the ${what}` });

/** `true` or `false` in any case, as written. Refuses other values, so that a typo never means `false`. */
export const queryBooleanText = z
  .string()
  .regex(/^(true|false)$/i, 'must be true or false')
  .meta({ type: 'boolean' })
  .optional();
/** A boolean in a query string (ruling 32). Undefined if absent. */
export const queryBoolean = queryBooleanText.transform((text) =>
  text === undefined ? undefined : text.toLowerCase() === 'true',
);
/** A boolean in a query string. False if absent. */
export const queryFlag = queryBoolean.transform((value) => value ?? false);

/** The option of a create that refuses a name which is taken. */
export const uniqueName = queryFlag.meta({
  description:
    '`true` refuses a name that a live object of the workspace has with 409. `details.existingId` is then the id of that object, so a create that is made again makes nothing twice',
});

/** A whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** A whole number in a body. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
};

/** Page number of an inventory list, starting at 1. */
export const pageNumber = queryInteger(1, PAGE_MAX).default(1).meta({ default: 1, description: 'Number of the page' });
/** The position of the next page, as text of a service. */
export const pageCursor = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().meta({
    description: 'Where the page begins. `paging.next` of the previous page has it. Keep its other parameters',
  });

/** The order of a list by age. */
export const listOrder = z
  .enum(ListOrder.options, `must be one of ${ListOrder.options.join(', ')}`)
  .optional()
  .meta({
    default: 'asc',
    description: '`desc` lists the newest first. `paging.next` or `Link` then leads to older ones',
  });

/** A text that is not blank. */
export const requiredText = z
  .string()
  .max(TEXT_MAX)
  .refine((text) => text.trim() !== '', 'must not be empty');
/** A name. Trims space around it, which would let two names look equal in a list. */
export const nameText = z.string().trim().min(1).max(TEXT_MAX);
/** A text that may be empty. */
export const optionalText = z.string().max(TEXT_MAX);
/** Years that both JSON and the database can express. Neither has a year 0, and five digits require a sign. */
const [YEAR_FIRST, YEAR_LAST] = [1, 9999];
/** A moment with its time zone. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time with a time zone' })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= YEAR_FIRST && date.getUTCFullYear() <= YEAR_LAST, {
    error: `must be in the years ${YEAR_FIRST} to ${YEAR_LAST}`,
  });
/** An object that may also be null. Go marshals a nil RawMessage as null (wire-facts 5). */
export const nullableObject = JsonObject.nullable().transform((value) => value ?? {});
