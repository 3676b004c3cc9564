import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Hour, hoursQuery } from '../../api/inventory.js';
import { count, hourTick, hourTime, plural } from '../../lib/format.js';
import { everyHour } from '../../lib/rates.js';
import { Loaded } from '../panel.js';
import { Bars } from './index.js';
import type { Part } from './stack.js';

/** Counts are kept by the hour, so a shorter range would be one bar. */
const HOURS_MIN = 24;

interface HoursProps {
  hours: number;
  /** Only this destination. */
  destinationId?: string;
}

/** The outcomes of events, hour by hour. */
export function Hours({ hours: chosen, destinationId }: HoursProps) {
  const hours = Math.max(chosen, HOURS_MIN);
  const series = useQuery(hoursQuery(hours, destinationId));
  return (
    // as high as the chart will be, so that what is below does not move when it comes
    <div className="min-h-[9.5rem]">
      <Loaded query={series} what="The hours">
        {(rows) => <HourBars rows={rows} hours={hours} />}
      </Loaded>
    </div>
  );
}

function HourBars({ rows, hours }: { rows: readonly Hour[]; hours: number }) {
  const all = useMemo(() => everyHour(rows, hours, Date.now()), [rows, hours]);
  const times = useMemo(() => all.map(({ at }) => at), [all]);
  const parts = useMemo(() => partsOf(all.map(({ row }) => row)), [all]);
  const sumOf = (pick: (row: Hour) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
  const label = `Hour by hour: ${plural(
    sumOf((row) => row.delivered),
    'event',
  )} delivered, ${count(sumOf((row) => row.dead))} could not be.`;
  return <Bars label={label} times={times} parts={parts} timeText={hourTime} tickText={hourTick} />;
}

function partsOf(rows: readonly (Hour | undefined)[]): Part[] {
  const pick = (value: (row: Hour) => number) => rows.map((row) => (row ? value(row) : 0));
  return [
    { name: 'delivered', values: pick(({ delivered }) => delivered), colour: 'good', dot: 'bg-good' },
    { name: 'failed for good', values: pick(({ dead }) => dead), colour: 'bad', dot: 'bg-bad' },
    {
      name: 'accepted, not delivered',
      values: pick(({ accepted, delivered, dead }) => Math.max(0, accepted - delivered - dead)),
      colour: 'line-strong',
      dot: 'bg-line-strong',
    },
  ];
}
