import type { Counters } from '../../api/inventory.js';
import { count, milliseconds, share } from '../../lib/format.js';
import { sentOf } from '../../lib/sent.js';

const sum = (rows: readonly Counters[], pick: (row: Counters) => number) =>
  rows.reduce((all, row) => all + pick(row), 0);

export function Totals({ rows }: { rows: readonly Counters[] }) {
  const [accepted, delivered, dead] = [
    sum(rows, (row) => row.accepted),
    sum(rows, (row) => row.delivered),
    sum(rows, (row) => row.dead),
  ];
  const stopped = sum(rows, (row) => row.filtered + row.dropped + row.droppedByCode + row.suppressed);
  const sent = sentOf(rows);
  const slowest = Math.max(0, ...rows.map(({ latencyMs }) => latencyMs?.p95 ?? 0));
  const figures: readonly [label: string, value: string, note: string, isBad?: boolean][] = [
    ['Accepted', count(accepted), 'for a destination'],
    ['Delivered', count(delivered), `${share(delivered, sent)} of what was sent`],
    ['Stopped on purpose', count(stopped), 'by a rule or by code'],
    ['Waiting', count(sum(rows, (row) => row.inRetry)), 'to be tried again'],
    ['Could not be delivered', count(dead), `${share(dead, sent)} of what was sent`, dead > 0],
    ['Slowest destination', slowest > 0 ? milliseconds(slowest) : '–', '95 of 100 events within'],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      {figures.map(([label, value, note, isBad]) => (
        <div key={label} className="min-w-0">
          <dt className="text-[12.5px] text-muted">{label}</dt>
          <dd className={`tnum text-2xl leading-tight font-semibold tracking-tight ${isBad ? 'text-bad' : ''}`}>
            {value}
          </dd>
          <dd className="text-xs text-muted">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
