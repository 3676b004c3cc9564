import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api } from '../../api/client.js';
import { isUnknown } from '../../api/errors.js';
import { countersQuery, type Destination, definitionsQuery, destinationQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { healthOf } from '../../components/health.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Loaded } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Counted } from '../../components/ui/counted.js';
import { MoreMenu } from '../../components/ui/menu.js';
import { LabeledSwitch } from '../../components/ui/switch.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { useAsked } from '../../components/use-asked.js';
import { shortName } from '../../lib/printable.js';
import { Failures } from './failures.js';
import { Health } from './health.js';
import { SettingsForm } from './settings-form.js';
import { StageTest } from './stage-test.js';

const route = getRouteApi('/destinations/$id');
const HOURS = 24;

export function DestinationPage() {
  const { id } = route.useParams();
  const destination = useQuery(destinationQuery(id));
  if (isUnknown(destination.error))
    return <Missing title="There is no such destination" all={{ label: 'All destinations', to: '/destinations' }} />;
  return (
    <Loaded query={destination} what="The destination">
      {(one) => <One key={id} {...one} />}
    </Loaded>
  );
}

function One({ destination, etag }: { destination: Destination; etag: string | undefined }) {
  const { id, name, type, enabled } = destination;
  const { tab = 'health' } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const canWrite = useCan('inventory', 'write');
  const counted = useQuery(countersQuery(HOURS)).data;
  const counters = counted?.find(({ destinationId }) => destinationId === id);
  const definition = useQuery(definitionsQuery).data?.find((one) => one.name === type);
  const health = healthOf(destination, counters, counted !== undefined);
  const toggle = useAsked({
    question: (on: boolean) =>
      on
        ? undefined
        : {
            title: `Switch off ${shortName(name)}?`,
            text: 'Its events are dropped until you switch it on again. They are not sent later.',
            action: 'Switch off',
            keep: 'Keep it on',
          },
    send: (on) => answer(api.PUT('/v2/destinations/{id}', { params: { path: { id } }, body: { enabled: on } })),
    done: () => client.invalidateQueries({ queryKey: ['destinations'] }),
  });
  const remove = useAsked({
    question: () => ({
      title: `Delete ${shortName(name)}?`,
      text: 'Its connections and failed deliveries are deleted too, and pending deletions of users there are abandoned.',
      action: 'Delete',
      typed: 'delete',
    }),
    send: () => answer(api.DELETE('/v2/destinations/{id}', { params: { path: { id } } })),
    done: async () => {
      await navigate({ to: '/destinations' });
      tellDone('Destination deleted.');
      await client.invalidateQueries();
    },
  });
  const failed = counters ? counters.dead + counters.inRetry : 0;
  return (
    <Page
      title={name}
      parent={{ label: 'Destinations', to: '/destinations' }}
      badge={<Badge tone={health.tone}>{health.label}</Badge>}
      lead={definition?.displayName}
      actions={
        canWrite && (
          <>
            <LabeledSwitch label="Deliver events" checked={enabled} onChange={toggle.ask} />
            <MoreMenu actions={[{ label: 'Delete destination', danger: true, run: () => remove.ask() }]} />
          </>
        )
      }
    >
      <Tabs
        label="About this destination"
        value={tab}
        onChange={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { value: 'health', label: 'Health' },
          { value: 'failures', label: <Counted name="Failures" of={failed} tone="bad" /> },
          { value: 'test', label: 'Test' },
          { value: 'settings', label: 'Settings' },
        ]}
      >
        <TabPanel value="health">
          <Health destination={destination} />
        </TabPanel>
        <TabPanel value="failures">
          <Failures destinationId={id} />
        </TabPanel>
        <TabPanel value="test">
          <StageTest destinationId={id} />
        </TabPanel>
        <TabPanel value="settings">{definition && <SettingsForm {...{ destination, etag, definition }} />}</TabPanel>
      </Tabs>
    </Page>
  );
}
