import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { cn } from '../lib/cn.js';
import { Scroll } from './ui/scroll.js';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  className?: string;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A longer table scrolls by itself, and draws only the rows in sight. */
const WHOLE_MAX = 100;
const ROW_PX = 45;
const OVERSCAN = 20;

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const scroller = useRef<HTMLElement>(null);
  const isLong = rows.length > WHOLE_MAX;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const inSight = virtual.getVirtualItems();
  const from = isLong ? (inSight[0]?.index ?? 0) : 0;
  const shown = isLong ? rows.slice(from, from + inSight.length) : rows;
  const above = inSight[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  return (
    <Scroll ref={scroller} className={isLong ? 'max-h-[calc(100vh-14rem)]' : ''} label={`${label}: table`}>
      <table className="w-full border-collapse text-left" {...(isLong ? { 'aria-rowcount': rows.length + 1 } : {})}>
        <thead className={cn(isLong && 'sticky top-0 z-10 bg-surface')}>
          <tr className="text-[12px] text-muted">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={cn('h-9 px-4 font-medium whitespace-nowrap', column.align === 'right' && 'text-right')}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isLong && <Gap px={above} columns={columns.length} />}
          {shown.map((row, at) => (
            <tr
              key={keyOf(row)}
              {...(isLong ? { 'aria-rowindex': from + at + 2 } : {})}
              className="border-t transition-colors hover:bg-sunken/60"
            >
              {columns.map((column) => (
                <td
                  key={column.name}
                  className={cn('h-11 px-4 py-1.5', column.align === 'right' && 'tnum text-right', column.className)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {isLong && <Gap px={below} columns={columns.length} />}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Holds the place of the rows that are not drawn. */
const Gap = ({ px, columns }: { px: number; columns: number }) =>
  px > 0 && (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  );
