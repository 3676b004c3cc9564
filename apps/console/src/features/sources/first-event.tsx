import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { Source } from '../../api/inventory.js';
import { modelsQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { Time } from '../../components/time.js';
import { Dot } from '../../components/ui/badge.js';
import { plural } from '../../lib/format.js';
import { latestOf } from '../../lib/latest.js';
import { useStream } from '../live/stream.js';

/** Waits for the first event of a source, and turns green by itself. */
export function FirstEvent({ source }: { source: Source }) {
  const models = useQuery({ ...modelsQuery, enabled: useCan('schemas', 'read') }).data ?? [];
  const { rows } = useStream({ source: source.id }, false);
  const own = models.filter(({ WriteKey }) => WriteKey === source.writeKey);
  const counted = own.reduce((sum, { TotalCount }) => sum + TotalCount, 0);
  const seen = latestOf([...own.map(({ LastSeen }) => LastSeen), ...rows.slice(0, 1).map(({ at }) => at)]);
  const first = rows.findLast(({ outcome }) => outcome === 'accepted');
  if (counted === 0 && !first) {
    return (
      <div
        role="status"
        className="flex items-center gap-3 rounded-xl border border-dashed border-line-strong px-4 py-3"
      >
        <Dot tone="warn" pulse />
        <p>
          <span className="font-medium">Waiting for the first event.</span>{' '}
          <span className="text-muted">Send one with a snippet below. This line turns green by itself.</span>
        </p>
      </div>
    );
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-good/30 bg-good-soft px-4 py-3"
    >
      <CircleCheck size={16} className="text-good" aria-hidden />
      <p>
        <span className="font-medium text-good">Events arrive.</span>{' '}
        <span className="text-muted">
          {counted > 0 && `${plural(counted, 'event')} of ${plural(own.length, 'kind')} so far, `}
          {seen && (
            <>
              the last one <Time at={seen} />
            </>
          )}
        </span>
      </p>
      <Link to="/schemas" search={{ source: source.id }} className="ml-auto font-medium text-accent hover:underline">
        What they hold
      </Link>
    </div>
  );
}
