import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { countersQuery, definitionsQuery, destinationsQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { healthOf } from '../../components/health.js';
import { nameColumn } from '../../components/name-link.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Badge, Dot } from '../../components/ui/badge.js';
import { buttonClass } from '../../components/ui/button.js';
import { count, milliseconds, plural } from '../../lib/format.js';

const HOURS = 24;

export function DestinationsPage() {
  const destinations = useQuery(destinationsQuery);
  const counters = useQuery(countersQuery(HOURS)).data;
  const definitions = useQuery(definitionsQuery).data ?? [];
  const canWrite = useCan('inventory', 'write');
  const make = canWrite && (
    <Link to="/destinations/new" className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New destination
    </Link>
  );
  const byId = useMemo(() => new Map(counters?.map((row) => [row.destinationId, row])), [counters]);
  const of = (id: string) => byId.get(id);
  return (
    <Page title="Destinations" lead="Where events go. Figures cover the last 24 hours." actions={make}>
      <Panel title="All destinations" note={destinations.data && plural(destinations.data.length, 'destination')} flush>
        <Loaded query={destinations} what="The destinations">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No destinations yet" action={make}>
                Choose one of {definitions.length} kinds. A webhook is the quickest to try.
              </Empty>
            ) : (
              <Table
                label="Destinations"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  nameColumn('/destinations/$id'),
                  {
                    name: 'Kind',
                    sortBy: ({ type }) => type,
                    className: 'text-muted whitespace-nowrap',
                    cell: ({ type }) => definitions.find(({ name }) => name === type)?.displayName ?? type,
                  },
                  {
                    name: 'Health',
                    sortBy: (row) => healthOf(row, of(row.id), counters !== undefined).label,
                    cell: (row) => {
                      const { tone, label } = healthOf(row, of(row.id), counters !== undefined);
                      return (
                        <span className="inline-flex items-center gap-2 whitespace-nowrap">
                          <Dot tone={tone} />
                          {label}
                        </span>
                      );
                    },
                  },
                  {
                    name: 'Delivered',
                    sortBy: ({ id }) => of(id)?.delivered ?? 0,
                    align: 'right',
                    cell: ({ id }) => (counters ? count(of(id)?.delivered ?? 0) : '–'),
                  },
                  {
                    name: 'Waiting',
                    sortBy: ({ id }) => of(id)?.inRetry ?? 0,
                    align: 'right',
                    cell: ({ id }) => (counters ? count(of(id)?.inRetry ?? 0) : '–'),
                  },
                  {
                    name: 'Failed',
                    sortBy: ({ id }) => of(id)?.dead ?? 0,
                    align: 'right',
                    cell: ({ id }) => {
                      const dead = of(id)?.dead ?? 0;
                      return dead > 0 ? <Badge tone="bad">{count(dead)}</Badge> : counters ? '0' : '–';
                    },
                  },
                  {
                    name: '95% within',
                    sortBy: ({ id }) => of(id)?.latencyMs?.p95,
                    align: 'right',
                    className: 'text-muted',
                    cell: ({ id }) => {
                      const latency = of(id)?.latencyMs;
                      return latency ? milliseconds(latency.p95) : '–';
                    },
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
