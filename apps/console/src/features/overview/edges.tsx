import { type Line, ROW } from './layout.js';

const WIDTH = 100;
const middleOf = (row: number) => row * ROW + ROW / 2;

/** Lines between two lanes. The picture is stretched to the room between them. */
export function Edges({ lines, height }: { lines: readonly Line[]; height: number }) {
  return (
    <svg
      className="mt-6 w-full"
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ from, to, isOn }) => (
        <path
          key={`${from} ${to}`}
          d={`M0 ${middleOf(from)}C${WIDTH / 2} ${middleOf(from)} ${WIDTH / 2} ${middleOf(to)} ${WIDTH} ${middleOf(to)}`}
          className={isOn ? 'stroke-accent/55' : 'stroke-line-strong'}
          strokeDasharray={isOn ? undefined : '4 4'}
          strokeWidth="1.5"
          fill="none"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
