import type { Tone } from '../../components/ui/badge.js';
import { type Line, ROW } from './layout.js';

const WIDTH = 100;
const middleOf = (row: number) => row * ROW + ROW / 2;

export interface EdgesProps {
  lines: readonly (Line & { tone?: Tone | undefined })[];
  height: number;
  className?: string;
}

const STROKES: Partial<Record<Tone, string>> = { bad: 'stroke-bad', warn: 'stroke-warn' };

/** Lines between two lanes, in the colour of what is wrong behind them. The picture is stretched to the room between them. */
export function Edges({ lines, height, className = 'mt-6 w-full' }: EdgesProps) {
  return (
    <svg
      className={className}
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ from, to, isOn, tone }) => (
        <path
          key={`${from} ${to}`}
          d={`M0 ${middleOf(from)}C${WIDTH / 2} ${middleOf(from)} ${WIDTH / 2} ${middleOf(to)} ${WIDTH} ${middleOf(to)}`}
          className={isOn ? ((tone && STROKES[tone]) ?? 'stroke-accent/55') : 'stroke-line-strong'}
          strokeDasharray={isOn ? undefined : '4 4'}
          strokeWidth="1.5"
          fill="none"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
