import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { destinationsQuery, sourcesQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Page } from '../../components/page.js';
import { Text } from '../../components/text.js';
import { Badge, Dot } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Dialog } from '../../components/ui/dialog.js';
import type { EventFilters } from '../../lib/filters.js';
import { clock, count } from '../../lib/format.js';
import { type Stream, shownRows } from './buffer.js';
import { EventLife } from './event-life.js';
import { FilterBar } from './filter-bar.js';
import { FindEvents } from './find-events.js';
import { LiveList } from './live-list.js';
import { NoEvents } from './no-events.js';
import { useStream } from './stream.js';

const route = getRouteApi('/live');

export function LivePage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [isPaused, setPaused] = useState(false);
  // Rows that move under the pointer cannot be clicked.
  const [isPointing, setPointing] = useState(false);
  const canRead = useCan('inventory', 'read');
  const known = useQuery({ ...sourcesQuery, enabled: canRead }).data;
  const sources = known ?? [];
  const destinations = useQuery({ ...destinationsQuery, enabled: canRead }).data ?? [];
  const stream = useStream(filters, isPaused || isPointing);
  const wanted = useDeferredValue(filters);
  const rows = useMemo(() => shownRows(stream.rows, wanted), [stream.rows, wanted]);
  const show = (change: Partial<EventFilters>) =>
    navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: !change.event });
  const opened = stream.rows.find(({ messageId, event }) => messageId === filters.event && event !== undefined);

  return (
    <Page
      title="Live"
      badge={<StreamState stream={stream} />}
      actions={
        <>
          <FindEvents />
          <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
            {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      <FilterBar filters={filters} onChange={show} sources={sources} destinations={destinations} />
      {rows.length === 0 ? (
        <NoEvents
          isFiltered={stream.rows.length > 0}
          isOfDestination={filters.destination !== undefined && filters.text !== undefined}
          sources={known}
          chosen={filters.source}
        />
      ) : (
        <LiveList
          rows={rows}
          sources={sources}
          destinations={destinations}
          onOpen={(event) => show({ event })}
          onPoint={setPointing}
        />
      )}
      {filters.event !== undefined && (
        <Dialog
          open
          side="right"
          title="Event details"
          onClose={() => navigate({ search: ({ event: _, ...rest }) => rest })}
        >
          <EventLife messageId={filters.event} seen={opened?.event} />
        </Dialog>
      )}
    </Page>
  );
}

function StreamState({ stream: { state, refusal, skipped, waiting, lost, gap } }: { stream: Stream }) {
  if (refusal !== undefined)
    return (
      <Badge tone="bad">
        <Text value={`The stream was refused: ${refusal}`} />
      </Badge>
    );
  if (state === 'away') return <Badge tone="warn">Stream interrupted. Reconnecting automatically.</Badge>;
  return (
    <>
      <span className="inline-flex items-center gap-1.5 text-[12.5px] text-muted" role="status">
        <Dot tone={state === 'open' ? 'good' : 'neutral'} pulse={state === 'open'} />
        {state === 'open' ? 'listening' : 'opening'}
      </span>
      {waiting > 0 && <Badge tone="accent">{count(waiting)} new</Badge>}
      {lost > 0 && <Badge tone="warn">{count(lost)} older ones dropped: a pause keeps the newest 5,000</Badge>}
      {gap?.to !== undefined && (
        <Badge tone="warn">
          {`Interrupted from ${clock(new Date(gap.from))} to ${clock(new Date(gap.to))}: events of that time are missing`}
        </Badge>
      )}
      {skipped > 0 && <Badge>{count(skipped)} skipped: at most 50 per second are shown</Badge>}
    </>
  );
}

const withoutEmpty = (filters: EventFilters): EventFilters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '' && value !== undefined));
