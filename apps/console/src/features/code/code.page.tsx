import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { librariesQuery, transformationsQuery } from '../../api/code.js';
import { type Counters, countersQuery, destinationsQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { nameColumn } from '../../components/name-link.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { buttonClass } from '../../components/ui/button.js';
import { plural, share } from '../../lib/format.js';
import { VersionName } from './version-name.js';

export function CodePage() {
  const transformations = useQuery(transformationsQuery);
  const libraries = useQuery(librariesQuery);
  const destinations = useQuery({ ...destinationsQuery, enabled: useCan('inventory', 'read') }).data;
  const counters = useQuery({ ...countersQuery(24), enabled: useCan('deliveries', 'read') }).data;
  const names = useMemo(() => new Map(destinations?.map(({ id, name }) => [id, name])), [destinations]);
  const byDestination = useMemo(() => new Map(counters?.map((row) => [row.destinationId, row])), [counters]);
  const canWrite = useCan('transformations', 'write');
  const make = canWrite && (
    <Link to="/code/$id" params={{ id: 'new' }} className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New code
    </Link>
  );
  const namesOf = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id).join(', ');
  return (
    <Page
      title="Code"
      lead="JavaScript that changes, drops or multiplies events on their way to a destination."
      actions={make}
    >
      <Panel
        title="Transformations"
        note={transformations.data && plural(transformations.data.length, 'transformation')}
        flush
      >
        <Loaded query={transformations} what="The code">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No code yet" action={make}>
                Events pass unchanged. Code can mask an address, add a field, or drop events that nobody needs.
              </Empty>
            ) : (
              <Table
                label="Transformations"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  nameColumn('/code/$id'),
                  {
                    name: 'State',
                    cell: ({ isPublished, rolledBack }) =>
                      rolledBack ? (
                        <Badge tone="bad">rolled back</Badge>
                      ) : (
                        <Badge tone={isPublished ? 'good' : 'neutral'}>{isPublished ? 'live' : 'draft'}</Badge>
                      ),
                  },
                  {
                    name: 'Version',
                    cell: ({ id, versionId }) => (
                      <Link
                        to="/code/$id"
                        params={{ id }}
                        search={{ tab: 'history', version: versionId }}
                        className="hover:underline"
                      >
                        <VersionName id={versionId} />
                      </Link>
                    ),
                  },
                  {
                    name: 'Destinations',
                    className: 'max-w-64 truncate text-muted',
                    cell: ({ destinations: ids }) => (ids.length > 0 ? <Text value={namesOf(ids)} max={80} /> : 'none'),
                  },
                  {
                    name: 'Errors, 24 h',
                    align: 'right',
                    sortBy: ({ destinations: ids }) => errorsOf(byDestination, ids).rate,
                    cell: ({ destinations: ids }) => <ErrorRate {...errorsOf(byDestination, ids)} />,
                  },
                  {
                    name: 'Runtime',
                    className: 'text-muted',
                    sortBy: ({ runtime }) => runtime,
                    cell: ({ runtime, runtimeReason }) => <span title={runtimeReason}>{runtime ?? '–'}</span>,
                  },
                  {
                    name: 'Updated',
                    align: 'right',
                    sortBy: ({ updatedAt }) => updatedAt,
                    className: 'text-muted',
                    cell: ({ updatedAt }) => <Time at={updatedAt} />,
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Panel>
      <Panel
        title="Libraries"
        note="imported by name"
        flush
        actions={
          canWrite && (
            <Link to="/libraries/$id" params={{ id: 'new' }} className={buttonClass('plain', 'sm')}>
              <Plus size={13} aria-hidden /> New library
            </Link>
          )
        }
      >
        <Loaded query={libraries} what="The libraries">
          {(rows) =>
            rows.length === 0 ? (
              <p className="px-4 py-3.5 text-muted">
                No libraries yet. A library holds functions that several transformations share.
              </p>
            ) : (
              <Table
                label="Libraries"
                sortName="librarySort"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  nameColumn('/libraries/$id'),
                  {
                    name: 'State',
                    cell: ({ isPublished }) => (
                      <Badge tone={isPublished ? 'good' : 'neutral'}>{isPublished ? 'live' : 'draft'}</Badge>
                    ),
                  },
                  { name: 'Version', cell: ({ versionId }) => <VersionName id={versionId} /> },
                  {
                    name: 'Import',
                    cell: ({ importName }) => (
                      <code className="font-mono text-[12.5px]">{`import { … } from '${importName}'`}</code>
                    ),
                  },
                  {
                    name: 'Updated',
                    align: 'right',
                    className: 'text-muted',
                    cell: ({ updatedAt }) => <Time at={updatedAt} />,
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

/** The code runs once for each event that came in for its destinations. */
function errorsOf(counters: ReadonlyMap<string, Counters>, destinationIds: readonly string[]) {
  const rows = destinationIds.flatMap((id) => counters.get(id) ?? []);
  const [errors, events] = [sumOf(rows, 'failedInCode'), sumOf(rows, 'accepted')];
  return { errors, events, rate: events === 0 ? undefined : errors / events };
}

const sumOf = (rows: readonly Counters[], name: 'failedInCode' | 'accepted') =>
  rows.reduce((sum, row) => sum + row[name], 0);

/** The share of its events for which the code itself failed. Answers of destinations do not count. */
const ErrorRate = ({ errors, events }: { errors: number; events: number }) =>
  errors > 0 ? (
    <Badge tone="bad">{share(errors, events)}</Badge>
  ) : (
    <span className="text-muted">{share(0, events)}</span>
  );
