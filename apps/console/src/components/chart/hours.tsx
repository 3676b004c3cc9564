import { useQuery } from '@tanstack/react-query';
import { type Hour, hoursQuery } from '../../api/inventory.js';
import { Loaded } from '../../components/panel.js';
import { count, hourTime, plural } from '../../lib/format.js';
import { everyHour } from '../../lib/rates.js';

/** Counts are kept by the hour, so a shorter range would be one bar. */
const HOURS_MIN = 24;
const HEIGHT = 72;
const GAP = 0.15;

/** Shows the outcomes of the events, hour by hour. */
export function Hours({ hours: chosen }: { hours: number }) {
  const hours = Math.max(chosen, HOURS_MIN);
  const series = useQuery(hoursQuery(hours));
  return (
    <Loaded query={series} what="The hours">
      {(rows) => <Bars rows={rows} hours={hours} />}
    </Loaded>
  );
}

function Bars({ rows, hours }: { rows: readonly Hour[]; hours: number }) {
  const all = everyHour(rows, hours, Date.now());
  const most = Math.max(1, ...rows.map(heightOf));
  const [first] = all;
  const total = rows.reduce((sum, { delivered }) => sum + delivered, 0);
  const failed = rows.reduce((sum, { dead }) => sum + dead, 0);
  const label = `Hour by hour: ${plural(total, 'event')} delivered, ${count(failed)} could not be. Most in one hour: ${count(most)}.`;
  return (
    <figure className="mt-5">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${hours} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-18 w-full border-b"
      >
        {all.map(({ at, row }, x) => row && <Bar key={row.hour} x={x} at={at} row={row} most={most} />)}
      </svg>
      <figcaption className="mt-1 flex justify-between text-xs text-muted">
        <span>{first && hourTime(first.at)}</span>
        <span className="tnum flex gap-4">
          <Key colour="bg-accent">delivered</Key>
          <Key colour="bg-line-strong">accepted, not delivered</Key>
          <Key colour="bg-bad">failed for good</Key>
        </span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

const Key = ({ colour, children }: { colour: string; children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2 rounded-full ${colour}`} aria-hidden />
    {children}
  </span>
);

const heightOf = ({ accepted, delivered, dead }: Hour): number => Math.max(accepted, delivered + dead);

function Bar({ x, at, row, most }: { x: number; at: Date; row: Hour; most: number }) {
  const { accepted, delivered, dead } = row;
  const parts: readonly [events: number, colour: string][] = [
    [delivered, 'fill-accent'],
    [dead, 'fill-bad'],
    [Math.max(0, accepted - delivered - dead), 'fill-line-strong'],
  ];
  let top = HEIGHT;
  return (
    <g>
      <title>{`${hourTime(at)}: ${count(accepted)} accepted, ${count(delivered)} delivered, ${count(dead)} failed for good`}</title>
      {parts.map(([events, colour]) => {
        const height = (events / most) * (HEIGHT - 4);
        top -= height;
        return <rect key={colour} x={x + GAP / 2} y={top} width={1 - GAP} height={height} className={colour} />;
      })}
    </g>
  );
}
