import { INVENTORY_PAGE_SIZE, JsonObject } from '@weir/contracts';
import { z } from 'zod';

/** Text fields that people write: names, e-mail addresses, external ids. */
const TEXT_MAX = 256;
/** Pages of a list that could be asked for; 50 rows each, more than any workspace may hold. */
const PAGE_MAX = 1_000_000;

/** A KSUID in a path. Anything else is the 404 of an unknown id, with the same message. */
export const pathId = (what: string) => z.string().regex(/^[0-9A-Za-z]{27}$/, `${what} not found`);
/** A UUID in a path. */
export const pathUuid = (what: string) => z.uuid(`${what} not found`);

/** `true` or `false` in any case (wire-facts 7); absent is undefined. */
export const queryBoolean = z
  .string()
  .regex(/^(true|false)$/i, 'must be true or false')
  .transform((text) => text.toLowerCase() === 'true')
  .optional();

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
/** A text that may be empty. */
export const optionalText = z.string().max(TEXT_MAX);
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
