import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { connectionsQuery, type Source, sourcesQuery } from '../../api/inventory.js';
import { modelsQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { nameColumn } from '../../components/name-link.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { buttonClass } from '../../components/ui/button.js';
import { count, plural } from '../../lib/format.js';
import { latestOf } from '../../lib/latest.js';

export function SourcesPage() {
  const sources = useQuery(sourcesQuery);
  const connections = useQuery(connectionsQuery).data;
  const models = useQuery({ ...modelsQuery, enabled: useCan('schemas', 'read') }).data;
  const canWrite = useCan('inventory', 'write');
  const make = (
    <Link to="/sources/new" className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New source
    </Link>
  );
  // a list of thousands would otherwise be searched again for each of its rows
  const ways = useMemo(() => Map.groupBy(connections ?? [], ({ sourceId }) => sourceId), [connections]);
  const kinds = useMemo(() => Map.groupBy(models ?? [], ({ SourceID }) => SourceID), [models]);
  const eventsOf = ({ id }: Source) => (kinds.get(id) ?? []).reduce((sum, { TotalCount }) => sum + TotalCount, 0);
  const lastOf = ({ id }: Source) => latestOf((kinds.get(id) ?? []).map(({ LastSeen }) => LastSeen));
  return (
    <Page title="Sources" lead="Sites, apps and servers that send events." actions={canWrite && make}>
      <Panel title="All sources" note={sources.data && plural(sources.data.length, 'source')} flush>
        <Loaded query={sources} what="The sources">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No sources yet" action={canWrite && make}>
                Create one and paste its snippet into your site, app or server.
              </Empty>
            ) : (
              <Table
                label="Sources"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  nameColumn('/sources/$id'),
                  {
                    name: 'Type',
                    sortBy: ({ type }) => type,
                    className: 'text-muted',
                    cell: ({ type }) => <Text value={type} max={40} />,
                  },
                  {
                    name: 'State',
                    sortBy: ({ enabled }) => Number(enabled),
                    cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>,
                  },
                  {
                    name: 'Destinations',
                    align: 'right',
                    cell: ({ id }) => (connections ? (ways.get(id)?.length ?? 0) : '–'),
                  },
                  {
                    name: 'Events',
                    sortBy: eventsOf,
                    align: 'right',
                    cell: (source) => (models ? count(eventsOf(source)) : '–'),
                  },
                  {
                    name: 'Last event',
                    sortBy: lastOf,
                    align: 'right',
                    className: 'text-muted',
                    cell: (source) => (lastOf(source) ? <Time at={lastOf(source)} /> : models ? 'none yet' : '–'),
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
