import { Fragment, type ReactNode } from 'react';
import { Text } from '../../components/text.js';
import { Badge, type Tone } from '../../components/ui/badge.js';
import { capitalized, exact, plural } from '../../lib/format.js';
import type { Plan } from './batches.js';

type PlannedDestination = Plan['destinations'][number];
type Deletion = PlannedDestination['deletion'];
const TONES: Record<Deletion, Tone> = { supported: 'good', if_configured: 'warn', not_supported: 'bad' };
const WORDS: Record<Deletion, string> = {
  supported: 'deletes',
  if_configured: 'if configured',
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
        {alikeIn(plan.destinations).map((alike) => (
          <Destinations key={`${alike[0]?.deletion} ${alike[0]?.reason}`} alike={alike} />
        ))}
      </ul>
    )}
    {plan.budgets.map(({ name, remaining }) => (
      <p key={name} className="text-muted">
        Uses {exact(plan.cost[name])} of the {exact(remaining)} {name === 'deletion' ? 'deletions' : 'suppressions'}{' '}
        left this hour.
      </p>
    ))}
    {children}
    {!plan.covered && <p className="text-warn">This exceeds the remaining budget.</p>}
  </div>
);

/** A reason follows a name in other places, so it begins with "it" and a small letter. */
const sentenceOf = (reason: string): string => `${capitalized(reason.replace(/^it /, ''))}.`;

/** The destinations by what they can do, so that a reason that several share is read once. */
const alikeIn = (destinations: readonly PlannedDestination[]): PlannedDestination[][] => [
  ...Map.groupBy(destinations, ({ deletion, reason }) => `${deletion} ${reason}`).values(),
];

/** Destinations that can do the same. Names each of them, because a person answers for all. */
function Destinations({ alike }: { alike: readonly PlannedDestination[] }) {
  const [first] = alike;
  if (!first) return null;
  return (
    <li className="flex flex-wrap items-center gap-2 px-3 py-2">
      <span className="min-w-0 flex-1 font-medium">
        {alike.map(({ destinationId, name, type }, at) => (
          <Fragment key={destinationId}>
            {at > 0 && ', '}
            <Text value={name ?? type} max={80} />
          </Fragment>
        ))}
      </span>
      <Badge tone={TONES[first.deletion]}>{WORDS[first.deletion]}</Badge>
      {first.reason && <span className="w-full text-[12.5px] text-muted">{sentenceOf(first.reason)}</span>}
    </li>
  );
}
