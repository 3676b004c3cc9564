import type { ReactNode } from 'react';
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

/** A short list. Long ones are virtual (virtual-list.tsx). */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <Scroll className="" label={`${label}: table`}>
      <table className="w-full border-collapse text-left">
        <thead>
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
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-t transition-colors hover:bg-sunken/60">
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
        </tbody>
      </table>
    </Scroll>
  );
}
