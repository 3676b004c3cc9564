import type { Counters, Destination } from '../../api/inventory.js';
import { count, milliseconds, share } from '../../lib/format.js';
import { shortName } from '../../lib/printable.js';

const sum = (rows: readonly Counters[], pick: (row: Counters) => number) =>
  rows.reduce((all, row) => all + pick(row), 0);

/** Milliseconds within which 95% of its events arrive. */
const slownessOf = ({ latencyMs }: Counters) => latencyMs?.p95 ?? 0;

interface TotalsProps {
  rows: readonly Counters[];
  destinations: readonly Destination[];
}

export function Totals({ rows, destinations }: TotalsProps) {
  const nameOf = (id: string) => shortName(destinations.find((one) => one.id === id)?.name ?? id);
  const [accepted, delivered, dead] = [
    sum(rows, (row) => row.accepted),
    sum(rows, (row) => row.delivered),
    sum(rows, (row) => row.dead),
  ];
  const stopped = sum(rows, (row) => row.filtered + row.dropped + row.droppedByCode + row.suppressed);
  const sent = sentOf(rows);
  const [slowest] = rows.toSorted((one, other) => slownessOf(other) - slownessOf(one));
  const isSlowestKnown = slowest !== undefined && slownessOf(slowest) > 0;
  const figures: readonly [label: string, value: string, note: string, isBad?: boolean][] = [
    ['Accepted', count(accepted), 'for a destination'],
    ['Delivered', count(delivered), `${share(delivered, sent)} of what was sent`],
    ['Stopped on purpose', count(stopped), 'by a rule or by code'],
    ['Waiting', count(sum(rows, (row) => row.inRetry)), 'to be retried'],
    ['Failed for good', count(dead), `${share(dead, sent)} of what was sent`, dead > 0],
    [
      'Slowest destination',
      isSlowestKnown ? milliseconds(slownessOf(slowest)) : '–',
      isSlowestKnown ? `for 95% at ${nameOf(slowest.destinationId)}` : 'for 95% of its events',
    ],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      {figures.map(([label, value, note, isBad]) => (
        <div key={label} className="min-w-0">
          <dt className="text-[12.5px] text-muted">{label}</dt>
          <dd className={`tnum text-2xl leading-tight font-semibold tracking-tight ${isBad ? 'text-bad' : ''}`}>
            {value}
          </dd>
          <dd className="truncate text-xs text-muted" title={note}>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Outcomes {
  delivered: number;
  dead: number;
  inRetry: number;
}

/**
 * Counts events that were sent or wait to be sent. Code may multiply or drop events, so shares refer to this number and not to
 * accepted events.
 */
const sentOf = (rows: readonly Outcomes[]): number =>
  rows.reduce((sum, { delivered, dead, inRetry }) => sum + delivered + dead + inRetry, 0);
