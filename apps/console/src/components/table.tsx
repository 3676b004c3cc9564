import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  type ColumnDef,
  createSortedRowModel,
  type Header,
  rowSortingFeature,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { cn } from '../lib/cn.js';
import { sortIn, sortText } from '../lib/sort.js';
import { More, type Paged } from './more.js';
import { Scroll } from './ui/scroll.js';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** The value that rows are sorted by. A column without it does not sort. */
  sortBy?: (row: Row) => string | number | undefined;
  align?: 'right';
  className?: string;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The name of its order in the address. A second table on a page needs another name. */
  sortName?: 'sort' | 'librarySort';
  /** The rest of a list that comes in pages. Its next page comes as its end comes into sight. */
  pages?: Paged;
}

/** A longer table scrolls by itself, and draws only the rows in sight. */
const WHOLE_MAX = 100;
/** Rows of one page of a list. A full first page means that more rows follow, so the table keeps its height while they load. */
const PAGE_ROWS = 50;
const ROW_PX = 45;
const OVERSCAN = 20;

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { text: sortFn_text, basic: sortFn_basic },
});
type Definition<Row extends object> = ColumnDef<typeof features, Row>;

const definitionOf = <Row extends object>({ name, cell, sortBy, ...meta }: Column<Row>): Definition<Row> => ({
  id: name,
  header: name,
  cell: ({ row }) => cell(row.original),
  accessorFn: (row) => sortBy?.(row),
  enableSorting: sortBy !== undefined,
  sortUndefined: 'last',
  meta,
});
type Look = Pick<Column<never>, 'align' | 'className'>;
const lookOf = (definition: { meta?: unknown }): Look => (definition.meta ?? {}) as Look;

/** A list whose order stands in the address. */
export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, sortName = 'sort', pages } = props;
  const scroller = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const sort = search[sortName];
  const table = useTable<typeof features, Row>({
    features,
    columns: useMemo(() => columns.map(definitionOf), [columns]),
    data: rows,
    getRowId: keyOf,
    enableMultiSort: false,
    state: { sorting: useMemo(() => sortIn(sort), [sort]) },
    onSortingChange: (change) => {
      const next = typeof change === 'function' ? change(sortIn(sort)) : change;
      const changed = { ...search, [sortName]: sortText(next) };
      void navigate({ to: '.', search: changed as never, replace: true });
    },
  });
  const all = table.getRowModel().rows;
  const isLong = all.length > WHOLE_MAX || (pages !== undefined && all.length >= PAGE_ROWS);
  const virtual = useVirtualizer({
    count: all.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const inSight = virtual.getVirtualItems();
  const from = isLong ? (inSight[0]?.index ?? 0) : 0;
  const shown = isLong ? all.slice(from, from + inSight.length) : all;
  const above = inSight[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  return (
    <Scroll ref={scroller} className={isLong ? 'max-h-[calc(100vh-14rem)]' : ''} label={`${label}: table`}>
      <table
        className="w-full border-collapse text-left"
        {...(isLong ? { 'aria-rowcount': pages?.hasNextPage ? -1 : all.length + 1 } : {})}
      >
        <thead className={cn(isLong && 'sticky top-0 z-10 bg-surface')}>
          <tr className="text-[12px] text-muted">
            {table.getFlatHeaders().map((header) => (
              <Head key={header.id} header={header} />
            ))}
          </tr>
        </thead>
        <tbody>
          {isLong && <Gap px={above} columns={columns.length} />}
          {shown.map((row, at) => (
            <tr
              key={row.id}
              {...(isLong ? { 'aria-rowindex': from + at + 2 } : {})}
              className="border-t transition-colors hover:bg-sunken/60"
            >
              {row.getAllCells().map((cell) => {
                const { align, className } = lookOf(cell.column.columnDef);
                return (
                  <td
                    key={cell.id}
                    className={cn('h-11 px-4 py-1.5', align === 'right' && 'tnum text-right', className)}
                  >
                    <table.FlexRender cell={cell} />
                  </td>
                );
              })}
            </tr>
          ))}
          {isLong && <Gap px={below} columns={columns.length} />}
        </tbody>
      </table>
      {pages && <More pages={pages} loaded={rows.length} isSorted={sortIn(sort).length > 0} />}
    </Scroll>
  );
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const;

function Head<Row extends object>({ header: { column } }: { header: Header<typeof features, Row> }) {
  const sorted = column.getIsSorted();
  const isRight = lookOf(column.columnDef).align === 'right';
  const Arrow = sorted === 'desc' ? ChevronDown : ChevronUp;
  const arrow = <Arrow size={12} aria-hidden className={sorted ? '' : 'opacity-0 group-hover:opacity-60'} />;
  return (
    <th
      scope="col"
      {...(sorted ? { 'aria-sort': ARIA[sorted] } : {})}
      className={cn('h-9 px-4 font-medium whitespace-nowrap', isRight && 'text-right')}
    >
      {column.getCanSort() ? (
        <button
          type="button"
          onClick={column.getToggleSortingHandler()}
          className="group inline-flex items-center gap-0.5 align-top hover:text-text"
        >
          {isRight && arrow}
          {column.id}
          {!isRight && arrow}
        </button>
      ) : (
        column.id
      )}
    </th>
  );
}

/** Holds the place of the rows that are not drawn. */
const Gap = ({ px, columns }: { px: number; columns: number }) =>
  px > 0 && (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  );
