interface ProgressProps {
  label: string;
  done: number;
  of: number;
  /** The same in words. */
  children: string;
}

/** How far something long has come. */
export const Progress = ({ label, done, of, children }: ProgressProps) => (
  <div role="status" className="flex items-center gap-3 rounded-lg border bg-surface px-4 py-2.5">
    <progress aria-label={label} className="h-1.5 flex-1 accent-accent" value={done} max={of} />
    <span className="tnum text-muted">{children}</span>
  </div>
);
