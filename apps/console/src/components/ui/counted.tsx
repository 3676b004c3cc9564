import { count } from '../../lib/format.js';
import { Badge, type Tone } from './badge.js';

interface CountedProps {
  name: string;
  of: number;
  /** Whether there may be more than these. */
  isMore?: boolean;
  tone?: Tone;
}

/** The label of a tab with how many things are behind it. None shows no number. */
export const Counted = ({ name, of, isMore = false, tone = 'neutral' }: CountedProps) => (
  <span className="inline-flex items-center gap-1.5">
    {name}{' '}
    {of > 0 && (
      <Badge tone={tone}>
        {count(of)}
        {isMore && '+'}
      </Badge>
    )}
  </span>
);
