type Query = Record<string, unknown>;

/** The items of a page: the answer itself, or the only list in it. */
export function itemsOf(page: unknown): unknown[] {
  if (Array.isArray(page)) return page;
  const lists = Object.values(page ?? {}).filter((value) => Array.isArray(value));
  return lists[0] ?? [];
}

/** The query of the next page. Most lists name its path in `paging.next`, bare ones in a `Link` header (RFC 8288). */
export function nextQuery(page: unknown, headers: Headers): Query | undefined {
  const next = (page as { paging?: { next?: string } } | undefined)?.paging?.next ?? linkTo('next', headers);
  const query = next?.split('?')[1];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

function linkTo(relation: string, headers: Headers): string | undefined {
  const links = headers.get('link')?.split(',') ?? [];
  const link = links.find((one) => one.includes(`rel="${relation}"`));
  return link?.split('>')[0]?.split('<')[1];
}
