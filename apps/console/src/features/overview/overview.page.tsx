import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { transformationsQuery } from '../../api/code.js';
import {
  type Counters,
  connectionsQuery,
  countersQuery,
  destinationsQuery,
  sourcesQuery,
} from '../../api/inventory.js';
import { processesQuery, troublesQuery } from '../../api/operation.js';
import { unfinishedQuery } from '../../api/privacy.js';
import { useCan } from '../../api/session.js';
import { Hours } from '../../components/chart/hours.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel, Waiting } from '../../components/panel.js';
import { buttonClass } from '../../components/ui/button.js';
import { Select } from '../../components/ui/field.js';
import { RANGES } from '../../lib/filters.js';
import { type Reading, ratesOf } from '../../lib/rates.js';
import { attentionOf } from './attention.js';
import { AttentionList } from './attention-list.js';
import { Flow } from './flow.js';
import { useStill } from './still.js';
import { Totals } from './totals.js';

const route = getRouteApi('/');
const RANGE_NAMES = { 1: 'Last hour', 24: 'Last 24 hours', 168: 'Last 7 days' } as const;

export function OverviewPage() {
  const { hours = 24, all = false } = route.useSearch();
  const navigate = route.useNavigate();
  const canRead = useCan('inventory', 'read');
  const sources = useQuery({ ...sourcesQuery, enabled: canRead });
  const destinations = useQuery({ ...destinationsQuery, enabled: canRead });
  const connections = useQuery({ ...connectionsQuery, enabled: canRead });
  const counters = useQuery({ ...countersQuery(hours), enabled: canRead });
  const transformations = useQuery({ ...transformationsQuery, enabled: canRead });
  const processes = useQuery({ ...processesQuery, enabled: canRead });
  const troubles = useQuery({ ...troublesQuery, enabled: useCan('deliveries', 'read') });
  const readsRegulations = useCan('regulations', 'read');
  const deletions = {
    failed: useQuery({ ...unfinishedQuery('failed'), enabled: readsRegulations }),
    partial: useQuery({ ...unfinishedQuery('partial'), enabled: readsRegulations }),
    aborted: useQuery({ ...unfinishedQuery('aborted'), enabled: readsRegulations }),
  };
  const rates = useRates(counters.data, counters.dataUpdatedAt, hours);
  const facts = useStill({
    sources: sources.data ?? [],
    destinations: destinations.data ?? [],
    connections: connections.data,
    counters: counters.data ?? [],
    isCounted: counters.data !== undefined,
    transformations: transformations.data ?? [],
    processes: processes.data ?? [],
    troubles: troubles.data ?? [],
    deletions: { failed: deletions.failed.data, partial: deletions.partial.data, aborted: deletions.aborted.data },
    rates,
  });
  if (!canRead) return <NoInventory />;
  const asked = [counters, sources, connections, transformations, processes, troubles, ...Object.values(deletions)];
  // Nothing is called well before everything is read. Rows would also change their places under the pointer if some came after the rest.
  const isSettled = !asked.some(({ isLoading }) => isLoading);
  const isPartial = asked.some(({ isError }) => isError);
  const range = (
    <Select
      aria-label="Time range"
      className="w-40"
      value={hours}
      onChange={(event) =>
        navigate({ search: (before) => ({ ...before, hours: Number(event.target.value) }), replace: true })
      }
    >
      {RANGES.map((value) => (
        <option key={value} value={value}>
          {RANGE_NAMES[value]}
        </option>
      ))}
    </Select>
  );
  return (
    <Page title="Overview" actions={range}>
      <Panel title="Needs attention" flush>
        <Loaded query={destinations} what="What needs attention">
          {() =>
            isSettled ? (
              <AttentionList items={attentionOf(facts)} isPartial={isPartial} isWhole={all} />
            ) : (
              <Waiting what="What needs attention" />
            )
          }
        </Loaded>
      </Panel>
      <Panel title="Events" note="at all destinations">
        <Loaded query={counters} what="The counters">
          {(rows) => <Totals rows={rows} destinations={facts.destinations} />}
        </Loaded>
        <div className="mt-5">
          <Hours hours={hours} />
        </div>
      </Panel>
      <Panel title="Flow" note="from sources through your code to destinations" flush>
        <Loaded query={sources} what="The sources">
          {() => (
            <Loaded query={destinations} what="The destinations">
              {() => (isSettled ? <Flow {...facts} /> : <Waiting what="The flow" />)}
            </Loaded>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

/** Rates between the last two readings of the counters of one range. */
function useRates(rows: readonly Counters[] | undefined, at: number, range: number): ReadonlyMap<string, number> {
  const readings = useRef<{ range: number; before?: Reading; last?: Reading }>({ range });
  if (readings.current.range !== range) readings.current = { range };
  const { last } = readings.current;
  if (rows && last?.at !== at) readings.current = { range, ...(last && { before: last }), last: { at, rows } };
  const { before, last: now } = readings.current;
  return useMemo(() => (now ? ratesOf(before, now) : new Map()), [before, now]);
}

/** Roles for privacy and for publishing see neither sources nor destinations. */
function NoInventory() {
  const seesPrivacy = useCan('regulations', 'read');
  return (
    <Page title="Overview">
      <Empty
        title={seesPrivacy ? 'Your role manages privacy and schemas' : 'Your role publishes code'}
        action={
          <Link to={seesPrivacy ? '/privacy' : '/code'} className={buttonClass('primary')}>
            {seesPrivacy ? 'Go to privacy' : 'Go to code'}
          </Link>
        }
      />
    </Page>
  );
}
