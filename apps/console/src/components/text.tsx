import { cn } from '../lib/cn.js';
import { count } from '../lib/format.js';
import { printable } from '../lib/printable.js';

interface TextProps {
  value: string;
  /** Longer values are clipped, and say by how much. */
  max?: number;
  className?: string;
}

/** Untrusted text. Never treated as markup, isolated in its direction, and with hidden characters made visible. */
export function Text({ value, max = 300, className }: TextProps) {
  const { shown, left } = printable(value, max);
  return (
    <bdi dir="auto" className={cn('break-words [overflow-wrap:anywhere]', className)}>
      {shown}
      {left > 0 && <span className="text-muted"> … {count(left)} more characters</span>}
    </bdi>
  );
}
