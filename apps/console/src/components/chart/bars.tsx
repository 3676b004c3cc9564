import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count } from '../../lib/format.js';
import { useIsDark } from '../../lib/theme.js';
import { heightsOf, levelsOf, type Part } from './stack.js';

interface BarsProps {
  /** All of it in a sentence, for those who do not see it. */
  label: string;
  /** Begins of the hours or days, oldest first. */
  times: readonly Date[];
  /** From the bottom to the top. */
  parts: readonly Part[];
  /** Words for one of the times, and short ones for the axis. */
  timeText: (at: Date) => string;
  tickText: (at: Date) => string;
}

const HEIGHT_PX = 128;
const FONT = '11px "Inter Variable", sans-serif';
/** Share of its place that a bar fills, and the widest bar in pixels. */
const BAR: [share: number, widestPx: number] = [0.8, 36];

/** Amounts over time as stacked bars. Pointing at a bar tells its amounts; otherwise the sums are told. */
export default function Bars({ label, times, parts, timeText, tickText }: BarsProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const [pointed, setPointed] = useState<number>();
  const isDark = useIsDark();
  const names = parts.map(({ name }) => name).join();
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = dataOf(times, parts);
  const looks = useRef(parts);
  looks.current = parts;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme and other parts have other colours, and need a new chart
  useEffect(() => {
    const place = host.current;
    if (!place) return;
    const made = new uPlot(
      optionsOf(place, { parts: looks.current, tickText, onPoint: setPointed }),
      data.current,
      place,
    );
    chart.current = made;
    const room = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    room.observe(place);
    return () => {
      room.disconnect();
      made.destroy();
    };
  }, [isDark, names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what the data is made of
  useEffect(() => chart.current?.setData(data.current), [times, parts]);

  const at = pointed === undefined ? undefined : times[pointed];
  const amountOf = ({ values }: Part) =>
    pointed === undefined ? values.reduce((sum, value) => sum + value, 0) : (values[pointed] ?? 0);
  return (
    <figure>
      <div ref={host} role="img" aria-label={label} className="w-full" style={{ height: HEIGHT_PX }} />
      <figcaption className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted">
        {parts.map((part) => (
          <span key={part.name} className="tnum inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full ${part.dot}`} aria-hidden />
            {count(amountOf(part))} {part.name}
          </span>
        ))}
        <span className="ml-auto">{at ? timeText(at) : 'total'}</span>
      </figcaption>
    </figure>
  );
}

/** The highest bars come first, so that the parts below are drawn over them. */
const dataOf = (times: readonly Date[], parts: readonly Part[]): uPlot.AlignedData => [
  times.map((at) => at.getTime() / 1_000),
  ...heightsOf(parts).toReversed(),
];

interface Looks extends Pick<BarsProps, 'parts' | 'tickText'> {
  onPoint: (at: number | undefined) => void;
}

/** A bar begins at its time, so the last one needs room behind it. */
function withRoom({ data: [times = []] }: uPlot, first: number, last: number): [number, number] {
  const step = (times[1] ?? 1) - (times[0] ?? 0);
  return [first, last + step];
}

function optionsOf(place: HTMLElement, { parts, tickText, onPoint }: Looks): uPlot.Options {
  const style = getComputedStyle(place);
  const colourOf = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: colourOf('muted'), font: FONT, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { range: withRoom }, y: { range: (_, __, most) => [0, levelsOf(most).at(-1) ?? 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 64,
        values: (_, seconds) => seconds.map((second) => tickText(new Date(second * 1_000))),
      },
      {
        ...axis,
        grid: { stroke: colourOf('line'), width: 1 },
        size: 44,
        splits: (_, __, ___, most) => levelsOf(most),
        values: (_, values) => values.map(count),
      },
    ],
    series: [
      {},
      ...parts.toReversed().map(({ colour, name }) => ({
        label: name,
        fill: colourOf(colour),
        width: 0,
        ...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: BAR, align: 1 }) } : {}),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
  };
}
