import type { DestinationDefinition, ListDefinitions, ReplyOf } from '@weir/contracts';

/** A definition with its schema has a few KiB, so that a page stays far below one message. */
const PAGE_SIZE = 50;

/** One page by name; `next` is the last name of the page while there are more. */
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
