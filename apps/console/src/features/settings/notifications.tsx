import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema } from '../../api/client.js';
import { transformationsQuery } from '../../api/code.js';
import { destinationsQuery, sourcesQuery } from '../../api/inventory.js';
import { troublesQuery } from '../../api/operation.js';
import { every } from '../../api/refetch.js';
import { useCan } from '../../api/session.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone, tellError } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Switch } from '../../components/ui/switch.js';
import { useAsked } from '../../components/use-asked.js';
import { shortName } from '../../lib/printable.js';
import { NewChannel } from './new-channel.js';

type Channel = Schema<'Channel'>;

/** Where people hear of trouble, and what is wrong now. */
export function Notifications() {
  const mayWrite = useCan('deliveries', 'write');
  return (
    <div className="space-y-4">
      {mayWrite && <NewChannel />}
      <Channels mayWrite={mayWrite} />
      <Troubles />
    </div>
  );
}

function Channels({ mayWrite }: { mayWrite: boolean }) {
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: async () => (await answer(api.GET('/v2/notifications'))).channels,
    refetchInterval: every(5_000),
  });
  return (
    <Panel title="Channels" flush>
      <Loaded query={channels} what="The channels">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No channels yet">Without a channel, problems show only on this page.</Empty>
          ) : (
            <Table
              label="Channels"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Name', className: 'font-medium', cell: ({ name }) => <Text value={name} max={80} /> },
                { name: 'Type', className: 'text-muted first-letter:uppercase', cell: ({ type }) => type },
                {
                  name: 'Address',
                  className: 'max-w-64 truncate text-muted',
                  cell: ({ addresses }) => <Text value={addresses.join(', ')} max={120} />,
                },
                { name: 'Last message', className: 'text-muted', cell: (channel) => <Health channel={channel} /> },
                ...(mayWrite
                  ? [
                      {
                        name: 'Action',
                        align: 'right' as const,
                        cell: (channel: Channel) => <Actions channel={channel} />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Health({ channel: { health } }: { channel: Channel }) {
  if (health.lastError !== undefined) return <span className="text-bad">{health.lastError}</span>;
  if (health.waiting > 0) return `${health.waiting} waiting`;
  return health.lastSentAt ? <Time at={health.lastSentAt} /> : 'none';
}

function Actions({ channel: { id, name, enabled } }: { channel: Channel }) {
  const client = useQueryClient();
  const path = { params: { path: { id } } };
  const renew = () => client.invalidateQueries({ queryKey: ['channels'] });
  const turn = useAsked({
    question: (on: boolean) =>
      on
        ? undefined
        : {
            title: `Switch off ${shortName(name)}?`,
            text: 'It sends no notifications until you switch it on again.',
            action: 'Switch off',
            keep: 'Keep it on',
          },
    send: (on) => answer(api.PUT('/v2/notifications/{id}', { ...path, body: { enabled: on } })),
    done: renew,
  });
  const test = useMutation({
    mutationFn: () => answer(api.POST('/v2/notifications/{id}/test', path)),
    onError: tellError,
    onSuccess: () => tellDone('Sending a test.'),
    onSettled: renew,
  });
  const remove = useAsked({
    question: () => ({
      title: `Delete ${shortName(name)}?`,
      text: 'Its waiting messages are not sent. Its secret cannot be restored.',
      action: 'Delete',
    }),
    send: () => answer(api.DELETE('/v2/notifications/{id}', path)),
    done: () => {
      tellDone('Channel deleted.');
      return renew();
    },
  });
  return (
    <span className="inline-flex items-center gap-2">
      <Switch label={`${name} is on`} checked={enabled} onChange={turn.ask} />
      <Button size="sm" aria-label={`Test ${name}`} onClick={() => test.mutate()}>
        Test
      </Button>
      <Button size="sm" look="danger" aria-label={`Delete ${name}`} onClick={() => remove.ask()}>
        Delete
      </Button>
    </span>
  );
}

function Troubles() {
  const troubles = useQuery(troublesQuery);
  const nameOf = useNames();
  return (
    <Panel title="Recent problems" flush>
      <Loaded query={troubles} what="The problems">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No problems">Weir checks for problems while a channel is on.</Empty>
          ) : (
            <Table
              label="Recent problems"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Problem',
                  className: 'font-medium first-letter:uppercase',
                  cell: ({ kind }) => kind.replaceAll('_', ' '),
                },
                { name: 'Resource', cell: ({ resourceId }) => <Text value={nameOf(resourceId)} max={80} /> },
                { name: 'Since', className: 'text-muted', cell: ({ openedAt }) => <Time at={openedAt} /> },
                {
                  name: 'Resolved',
                  className: 'text-muted',
                  cell: ({ resolvedAt }) => (resolvedAt ? <Time at={resolvedAt} /> : 'not yet'),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The names of what a problem can be about, as far as the role may read them. */
function useNames(): (id: string) => string {
  const readsInventory = useCan('inventory', 'read');
  const readsCode = useCan('transformations', 'read');
  const lists = [
    useQuery({ ...destinationsQuery, enabled: readsInventory }).data,
    useQuery({ ...sourcesQuery, enabled: readsInventory }).data,
    useQuery({ ...transformationsQuery, enabled: readsCode }).data,
  ];
  return (id) => {
    for (const list of lists) {
      const found = list?.find((one) => one.id === id);
      if (found) return found.name;
    }
    return id;
  };
}
