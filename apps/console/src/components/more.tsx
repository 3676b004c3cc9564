import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { count } from '../lib/format.js';
import { Button } from './ui/button.js';

/** The part of a list with pages that {@link More} needs. */
export type Paged = Pick<
  UseInfiniteQueryResult<InfiniteData<unknown>>,
  'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'
>;

interface MoreProps {
  pages: Paged;
  /** Rows that are there. */
  loaded: number;
  /** Whether the rows are in an order of the page, which knows those that are there only. */
  isSorted?: boolean;
}

/** The end of a list that comes in pages. The next page comes as this end comes into sight, or by the button. */
export function More({ pages, loaded, isSorted = false }: MoreProps) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const end = useRef<HTMLDivElement>(null);
  const isWaiting = hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (!end.current || !isWaiting) return;
    // it tells at once whether the end is in sight, so a page that did not fill the list is followed by the next one
    const sight = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    sight.observe(end.current);
    return () => sight.disconnect();
  }, [isWaiting, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="flex flex-wrap items-center gap-3 border-t px-4 py-2 text-[12.5px] text-muted">
      <span role="status">
        {isSorted
          ? `Sorted among the first ${count(loaded)}. There are more.`
          : `${count(loaded)} so far. There are more.`}
      </span>
      <Button look="quiet" size="sm" disabled={isFetching} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? 'Try again' : 'Load more'}
      </Button>
    </div>
  );
}
