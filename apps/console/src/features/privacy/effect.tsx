import type { ReactNode } from 'react';
import { Text } from '../../components/text.js';
import { Badge, type Tone } from '../../components/ui/badge.js';
import { count, plural } from '../../lib/format.js';
import type { Plan } from './batches.js';

type Deletion = Plan['destinations'][number]['deletion'];
const TONES: Record<Deletion, Tone> = { supported: 'good', if_configured: 'warn', not_supported: 'bad' };
const WORDS: Record<Deletion, string> = {
  supported: 'deletes',
  if_configured: 'if it is configured',
  not_supported: 'cannot delete',
};

/** Shows what a dry run found, above the button that does it. */
export const Effect = ({ plan, children }: { plan: Plan; children: ReactNode }) => (
  <div className="space-y-4">
    <p>
      Events of <strong>{plural(plan.users, 'user')}</strong> stop at the source.
    </p>
    {plan.destinations.length > 0 && (
      <ul className="divide-y rounded-lg border">
        {plan.destinations.map(({ destinationId, name, type, deletion, reason }) => (
          <li key={destinationId} className="flex flex-wrap items-center gap-2 px-3 py-2">
            <span className="min-w-0 flex-1 truncate font-medium">
              <Text value={name ?? type} max={80} />
            </span>
            <Badge tone={TONES[deletion]}>{WORDS[deletion]}</Badge>
            {reason && <span className="w-full text-[12.5px] text-muted">{reason}</span>}
          </li>
        ))}
      </ul>
    )}
    {plan.budgets.map(({ name, remaining }) => (
      <p key={name} className="text-muted">
        It takes {count(plan.cost[name])} of the {count(remaining)} {name === 'deletion' ? 'deletions' : 'suppressions'}{' '}
        that are left in this hour.
      </p>
    ))}
    {children}
    {!plan.covered && <p className="text-warn">This is more than the budget that is left.</p>}
  </div>
);
