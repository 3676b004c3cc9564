import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { answer, api } from '../../api/client.js';
import { DRIFT_MAX, daysQuery, driftQuery, type Model, modelsQuery } from '../../api/schemas.js';
import { Bars } from '../../components/chart/index.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Loaded, Panel } from '../../components/panel.js';
import { save } from '../../components/save.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { DAYS_SHOWN, everyDay } from '../../lib/days.js';
import { count, dayTick, dayTime, plural } from '../../lib/format.js';
import { pretty } from '../../lib/json.js';
import { DriftList } from './drift-list.js';
import { Keys } from './keys.js';
import { modelName, stateOf } from './model-name.js';
import { Samples } from './samples.js';
import { Versions } from './versions.js';

const route = getRouteApi('/schemas/$id');

export function ModelPage() {
  const { id } = route.useParams();
  const models = useQuery(modelsQuery);
  return (
    <Loaded query={models} what="The schema">
      {(all) => {
        const model = all.find(({ EventID }) => EventID === id);
        if (model) return <One model={model} />;
        return <Missing title="There is no such kind of event" all={{ label: 'All schemas', to: '/schemas' }} />;
      }}
    </Loaded>
  );
}

function One({ model }: { model: Model }) {
  const { EventID } = model;
  const { tab = 'keys', find = '', version } = route.useSearch();
  const navigate = route.useNavigate();
  const drift = useQuery(driftQuery(EventID));
  const state = stateOf(model, new Date());
  const jsonSchema = async () =>
    pretty(await answer(api.GET('/schemas/event-models/{EventID}/json-schema', { params: { path: { EventID } } })));
  return (
    <Page
      title={modelName(model)}
      parent={{ label: 'Schemas', to: '/schemas' }}
      badge={state && <Badge tone={state.tone}>{state.label}</Badge>}
      lead={
        <>
          {model.EventType} · {count(model.TotalCount)} events · first seen <Time at={model.CreatedAt} />, last seen{' '}
          <Time at={model.LastSeen} />
        </>
      }
      actions={
        <Button onClick={() => void save(`${EventID}.schema.json`, jsonSchema)}>
          <Download size={14} aria-hidden /> JSON Schema
        </Button>
      }
    >
      <Tabs
        label="About this kind of event"
        value={tab}
        onChange={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { value: 'keys', label: 'Keys' },
          { value: 'versions', label: 'Versions' },
          { value: 'samples', label: 'Samples' },
        ]}
      >
        <TabPanel value="keys">
          <div className="space-y-4">
            <Volume eventId={EventID} />
            <Keys
              model={model}
              find={find}
              onFind={(text) => navigate({ search: text ? { tab, find: text } : { tab }, replace: true })}
            />
          </div>
        </TabPanel>
        <TabPanel value="versions">
          <div className="grid gap-4 lg:grid-cols-2">
            <Versions
              eventId={EventID}
              chosen={version}
              onChoose={(next) => navigate({ search: next ? { tab, version: next } : { tab }, replace: true })}
            />
            <Panel title="What changed" note={drift.data?.length === DRIFT_MAX && `the newest ${DRIFT_MAX}`} flush>
              <Loaded query={drift} what="The changes">
                {(notices) => <DriftList notices={notices} />}
              </Loaded>
            </Panel>
          </div>
        </TabPanel>
        <TabPanel value="samples">
          <Samples eventId={EventID} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}

/** How often the event came, day by day. */
function Volume({ eventId }: { eventId: string }) {
  const days = useQuery(daysQuery);
  return (
    <Panel title="Volume" note={`events per day (UTC), last ${DAYS_SHOWN} days`}>
      <Loaded query={days} what="The volume">
        {(all) => <DayBars days={all.get(eventId) ?? NONE} />}
      </Loaded>
    </Panel>
  );
}

type CountedDays = Parameters<typeof everyDay>[0];
const NONE: CountedDays = [];

function DayBars({ days }: { days: CountedDays }) {
  const all = useMemo(() => everyDay(days, Date.now()), [days]);
  const times = useMemo(() => all.map(({ at }) => at), [all]);
  const parts = useMemo(
    () => [{ name: 'events', values: all.map(({ events }) => events), colour: 'accent' as const, dot: 'bg-accent' }],
    [all],
  );
  const sum = all.reduce((before, { events }) => before + events, 0);
  const label = `Day by day: ${plural(sum, 'event')} in the last ${DAYS_SHOWN} days.`;
  return <Bars label={label} times={times} parts={parts} timeText={dayTime} tickText={dayTick} />;
}
