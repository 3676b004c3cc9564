/** The `paging` of a list with cursors. `next` is the relative path of the next page, with the same filters. */
export function nextPage(
  path: string,
  cursor: string | undefined,
  filters: Record<string, string | undefined> = {},
): { next?: string } {
  if (cursor === undefined) return {};
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { next: `/${path}?${new URLSearchParams([...given, ['after_cursor', cursor]])}` };
}
