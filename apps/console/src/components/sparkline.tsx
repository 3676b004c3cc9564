interface SparklineProps {
  values: readonly number[];
  /** Says in words what the line shows. */
  label: string;
}

const WIDTH = 96;
const HEIGHT = 22;
const EDGE = 1.5;

/** A line without axes, for a row of a list. A chart in each row would be heavier than the list. */
export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values);
  const stepOf = (at: number) => EDGE + (at * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1);
  const levelOf = (value: number) => HEIGHT - EDGE - (value * (HEIGHT - 2 * EDGE)) / most;
  const points = values.map((value, at) => `${stepOf(at).toFixed(1)},${levelOf(value).toFixed(1)}`).join(' ');
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} className="inline-block align-middle">
      <title>{label}</title>
      <polyline points={points} fill="none" strokeWidth="1.5" strokeLinejoin="round" className="stroke-accent" />
    </svg>
  );
}
