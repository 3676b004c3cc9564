import type { DestinationDefinition, ListDefinitions, ReplyOf } from '@weir/contracts';

/** A definition with its schema takes a few KiB, so a page stays far below the message limit. */
const PAGE_SIZE = 50;

/** Returns one page sorted by name. `next` is the last name of the page if more definitions follow. */
export function pageOfDefinitions(
  sorted: DestinationDefinition[],
  after = '',
  size = PAGE_SIZE,
): ReplyOf<typeof ListDefinitions> {
  const rest = sorted.filter(({ name }) => name > after);
  const definitions = rest.slice(0, size);
  const last = definitions.at(-1);
  return { definitions, ...(last && rest.length > size && { next: last.name }) };
}
