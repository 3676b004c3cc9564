import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { Text } from '../../components/text.js';
import { buttonClass } from '../../components/ui/button.js';
import type { Attention } from './attention.js';

const SHOWN = 5;
const ICONS = { bad: CircleAlert, warn: TriangleAlert, neutral: CircleDashed };
const COLOURS = { bad: 'text-bad', warn: 'text-warn', neutral: 'text-muted' };

interface AttentionListProps {
  items: readonly Attention[];
  isPartial: boolean;
  isWhole: boolean;
}

export function AttentionList({ items, isPartial, isWhole }: AttentionListProps) {
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 px-4 py-3.5 text-muted">
        <CircleCheck size={16} className="text-good" aria-hidden />
        {isPartial ? 'Nothing found, but some services did not answer.' : 'Nothing. All events are on their way.'}
      </p>
    );
  }
  const shown = isWhole ? items : items.slice(0, SHOWN);
  return (
    <ul>
      {shown.map((item) => (
        <Item key={item.key} item={item} />
      ))}
      {items.length > shown.length && (
        <li className="border-t px-2 py-1">
          <Link
            to="/"
            search={(before) => ({ ...before, all: true as const })}
            replace
            className={buttonClass('quiet', 'sm')}
          >
            {items.length - shown.length} more
          </Link>
        </li>
      )}
    </ul>
  );
}

function Item({ item: { tone, subject, sentence, to, id = '', tab, status } }: { item: Attention }) {
  const Icon = ICONS[tone];
  return (
    <li className="border-t first:border-t-0">
      <Link
        to={to}
        params={{ id }}
        search={{ ...(tab && { tab }), ...(status && { status }) }}
        className="group flex items-center gap-3 px-4 py-2.5 transition-colors hover:bg-sunken/60"
      >
        <Icon size={16} className={`shrink-0 ${COLOURS[tone]}`} aria-hidden />
        <span className="min-w-0 flex-1">
          <span className="font-medium">
            <Text value={subject} max={80} />
          </span>
          <span className="ml-2 text-muted">{sentence}</span>
        </span>
        <ArrowRight size={14} className="text-muted transition-transform group-hover:translate-x-0.5" aria-hidden />
      </Link>
    </li>
  );
}
