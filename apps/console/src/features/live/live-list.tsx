import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Destination, Source } from '../../api/inventory.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Scroll } from '../../components/ui/scroll.js';
import type { Row } from './buffer.js';
import { OutcomeBadge } from './outcome.js';

const ROW_PX = 38;
const GRID =
  'grid grid-cols-[7.25rem_6rem_4.5rem_minmax(0,1.2fr)_minmax(0,1fr)] md:grid-cols-[7.25rem_6.5rem_4.5rem_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)] items-center gap-3 px-4';

interface LiveListProps {
  rows: readonly Row[];
  sources: readonly Source[];
  destinations: readonly Destination[];
  onOpen: (messageId: string) => void;
  /** The pointer came to the list or left it. */
  onPoint: (isPointing: boolean) => void;
}

/** Draws the rows in sight only, so that thousands scroll without a stutter. */
export function LiveList({ rows, sources, destinations, onOpen, onPoint }: LiveListProps) {
  useEffect(() => () => onPoint(false), [onPoint]);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (at) => rows[at]?.key ?? at,
  });
  return (
    <section
      aria-label="Events"
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      className="flex min-h-72 flex-1 flex-col overflow-hidden rounded-xl border bg-surface"
    >
      <div aria-hidden className={`${GRID} h-9 shrink-0 border-b text-[12px] font-medium text-muted`}>
        <span>Time</span>
        <span>Outcome</span>
        <span>Type</span>
        <span>Event</span>
        <span>Source or destination</span>
        <span className="hidden md:block">Details</span>
      </div>
      <Scroll ref={scroller} className="max-h-[calc(100vh-15rem)] min-h-0 flex-1 " label="Live events">
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <li
                  key={key}
                  className="absolute inset-x-0 border-b"
                  style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
                >
                  <Line row={row} place={placeOf(row, sources, destinations)} onOpen={onOpen} />
                </li>
              )
            );
          })}
        </ol>
      </Scroll>
    </section>
  );
}

function Line({ row, place, onOpen }: { row: Row; place: string; onOpen: (messageId: string) => void }) {
  const { messageId } = row;
  const detail = row.reason ?? (row.event === undefined ? (messageId ?? '') : JSON.stringify(row.event));
  return (
    <button
      type="button"
      disabled={messageId === undefined}
      onClick={() => messageId !== undefined && onOpen(messageId)}
      className={`${GRID} h-full w-full text-left transition-colors enabled:hover:bg-sunken/70`}
    >
      <Time at={row.at} look="exact" className="tnum truncate text-[12.5px] text-muted" />
      <span>
        <OutcomeBadge outcome={row.outcome} />
      </span>
      <span className="truncate text-muted">
        <Text value={row.type ?? ''} max={20} />
      </span>
      <span className="truncate font-medium">
        <Text value={row.name ?? ''} max={120} />
      </span>
      <span className="truncate text-muted">
        <Text value={place} max={80} />
      </span>
      <span className="hidden truncate font-mono text-xs text-muted md:block">
        <Text value={detail} max={160} />
      </span>
    </button>
  );
}

function placeOf(
  { sourceId, destinationId }: Row,
  sources: readonly Source[],
  destinations: readonly Destination[],
): string {
  if (destinationId) return `→ ${destinations.find(({ id }) => id === destinationId)?.name ?? destinationId}`;
  return sources.find(({ id }) => id === sourceId)?.name ?? sourceId ?? '';
}
