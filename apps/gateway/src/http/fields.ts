import { INVENTORY_PAGE_SIZE, JsonObject, storableText } from '@weir/contracts';
import { z } from 'zod';

/** Text fields that people write: names, e-mail addresses, external ids. */
const TEXT_MAX = 256;
/** Pages of a list that could be asked for; 50 rows each, more than any workspace may hold. */
const PAGE_MAX = 1_000_000;

/** A KSUID in a path. Anything else is the 404 of an unknown id, with the same message. */
export const pathId = (what: string) => z.string().regex(/^[0-9A-Za-z]{27}$/, `${what} not found`);
/** Any text of a path, for whoever looks it up to refuse; as it can be asked for in a database. */
export const pathText = z.string().transform(storableText);
/** An id in a body: one of the wrong form is for whoever looks it up to refuse, like every unknown one (ruling 26). */
export const bodyId = z.string();
/** A UUID in a path. */
export const pathUuid = (what: string) => z.uuid(`${what} not found`);

/** `true` or `false` in any case, as it is written; anything else is refused, so a typo never counts as `false`. */
export const queryBooleanText = z
  .string()
  .regex(/^(true|false)$/i, 'must be true or false')
  .optional();
/** A boolean of a query string (ruling 32); absent is undefined. */
export const queryBoolean = queryBooleanText.transform((text) =>
  text === undefined ? undefined : text.toLowerCase() === 'true',
);
/** A boolean of a query string that is false when absent. */
export const queryFlag = queryBoolean.transform((value) => value ?? false);

/** A whole number from a query string. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`);

/** The number of a page of an inventory list, from 1. */
export const pageNumber = queryInteger(1, PAGE_MAX).default(1);

/** A text that must say something. */
export const requiredText = z
  .string()
  .max(TEXT_MAX)
  .refine((text) => text.trim() !== '', 'must not be empty');
/** A name that people give. Space around it is a slip of the keyboard, and would make two equal names in a list. */
export const nameText = z.string().trim().min(1).max(TEXT_MAX);
/** A text that may be empty. */
export const optionalText = z.string().max(TEXT_MAX);
/** What both JSON and the database can write: neither knows a year 0, and five digits mean a sign. */
const [YEAR_FIRST, YEAR_LAST] = [1, 9999];
/** A moment with its time zone. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time with a time zone' })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= YEAR_FIRST && date.getUTCFullYear() <= YEAR_LAST, {
    error: `must be in the years ${YEAR_FIRST} to ${YEAR_LAST}`,
  });
/** An object that a client may also send as null (Go marshals a nil RawMessage so, wire-facts 5). */
export const nullableObject = JsonObject.nullable().transform((value) => value ?? {});

/** Where the next page is, and how many rows there are in all. The last page has no `next`. */
export const Paging = z.object({ total: z.int(), next: z.string().optional() });
export type Paging = z.output<typeof Paging>;

/** Paging of a list at `path`; `filters` are the query parameters that the next page has to keep. */
export function pagingOf(path: string, page: number, total: number, filters: Record<string, string> = {}): Paging {
  if (page * INVENTORY_PAGE_SIZE >= total) return { total };
  return { total, next: `${path}?${new URLSearchParams({ page: String(page + 1), ...filters })}` };
}
