import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { sourcesQuery } from '../../api/inventory.js';
import { daysQuery, driftQuery, type Model, modelsQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { NameLink } from '../../components/name-link.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { save } from '../../components/save.js';
import { Sparkline } from '../../components/sparkline.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Select } from '../../components/ui/field.js';
import { DAYS_SHOWN, everyDay } from '../../lib/days.js';
import { count, plural } from '../../lib/format.js';
import { printable } from '../../lib/printable.js';
import { DriftList } from './drift-list.js';
import { modelName, stateOf } from './model-name.js';
import { readTypes } from './read-types.js';

const route = getRouteApi('/schemas');
const DRIFT_SHOWN = 8;

export function SchemasPage() {
  const { source: sourceId } = route.useSearch();
  const navigate = route.useNavigate();
  const models = useQuery(modelsQuery);
  const days = useQuery(daysQuery).data;
  const drift = useQuery(driftQuery());
  const sources = useQuery({ ...sourcesQuery, enabled: useCan('inventory', 'read') }).data ?? [];
  const chosen = sources.find(({ id }) => id === sourceId);
  const sourceOf = ({ SourceID }: Model) =>
    SourceID === undefined ? 'deleted' : (sources.find(({ id }) => id === SourceID)?.name ?? SourceID);
  return (
    <Page
      title="Schemas"
      lead="Which events exist, what they contain, and how they change."
      actions={
        <>
          <Select
            aria-label="Source"
            className="w-auto max-w-56"
            value={sourceId ?? ''}
            onChange={({ target }) => navigate({ search: target.value ? { source: target.value } : {}, replace: true })}
          >
            <option value="">All sources</option>
            {sources.map(({ id, name }) => (
              <option key={id} value={id}>
                {printable(name, 60).shown}
              </option>
            ))}
          </Select>
          <Button onClick={() => void save('weir-events.d.ts', () => readTypes(chosen?.name))}>
            <Download size={14} aria-hidden /> TypeScript
          </Button>
        </>
      }
    >
      <Panel title="Kinds of events" note={models.data && plural(models.data.length, 'kind')} flush>
        <Loaded query={models} what="The schemas">
          {(all) => {
            const rows = all
              .filter(({ SourceID }) => !chosen || SourceID === chosen.id)
              .sort((one, other) => other.TotalCount - one.TotalCount);
            if (rows.length === 0)
              return (
                <Empty title="No events yet">
                  Each kind appears here with its first event. You do not have to describe it.
                </Empty>
              );
            return (
              <Table
                label="Kinds of events"
                rows={rows}
                keyOf={({ EventID }) => EventID}
                columns={[
                  {
                    name: 'Event',
                    className: 'max-w-80',
                    sortBy: modelName,
                    cell: (model) => (
                      <NameLink to="/schemas/$id" params={{ id: model.EventID }} name={modelName(model)} />
                    ),
                  },
                  {
                    name: 'Type',
                    className: 'text-muted',
                    sortBy: ({ EventType }) => EventType,
                    cell: ({ EventType }) => EventType,
                  },
                  {
                    name: 'State',
                    sortBy: (model) => stateOf(model, new Date())?.label,
                    cell: (model) => {
                      const state = stateOf(model, new Date());
                      return state && <Badge tone={state.tone}>{state.label}</Badge>;
                    },
                  },
                  {
                    name: 'Source',
                    sortBy: sourceOf,
                    className: 'max-w-48 truncate text-muted',
                    cell: (model) => <Text value={sourceOf(model)} max={60} />,
                  },
                  {
                    name: 'Events',
                    align: 'right',
                    sortBy: ({ TotalCount }) => TotalCount,
                    cell: ({ TotalCount }) => count(TotalCount),
                  },
                  {
                    name: `${DAYS_SHOWN} days`,
                    align: 'right',
                    sortBy: ({ EventID }) => sumOf(days?.get(EventID) ?? []),
                    cell: ({ EventID }) => days && <Days days={days.get(EventID) ?? []} />,
                  },
                  {
                    name: 'Last seen',
                    sortBy: ({ LastSeen }) => LastSeen,
                    align: 'right',
                    className: 'text-muted',
                    cell: ({ LastSeen }) => <Time at={LastSeen} />,
                  },
                ]}
              />
            );
          }}
        </Loaded>
      </Panel>
      <Panel title="Recent changes" flush>
        <Loaded query={drift} what="The changes">
          {(notices) => <DriftList notices={notices.slice(0, DRIFT_SHOWN)} doesName />}
        </Loaded>
      </Panel>
    </Page>
  );
}

type CountedDays = Parameters<typeof everyDay>[0];
const sumOf = (days: CountedDays): number => days.reduce((sum, { Events }) => sum + Events, 0);

/** A month of one kind of event, as a line. */
const Days = ({ days }: { days: CountedDays }) => (
  <Sparkline
    values={everyDay(days, Date.now()).map(({ events }) => events)}
    label={`${plural(sumOf(days), 'event')} in the last ${DAYS_SHOWN} days`}
  />
);
