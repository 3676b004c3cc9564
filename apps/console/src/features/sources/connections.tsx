import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '../../api/client.js';
import { type Connection, connectionsQuery, destinationsQuery, sourcesQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { tellError, tellUndo } from '../../components/toast.js';
import { Button, buttonClass } from '../../components/ui/button.js';
import { Select } from '../../components/ui/field.js';
import { Switch } from '../../components/ui/switch.js';
import { useAsked } from '../../components/use-asked.js';
import { shortName } from '../../lib/printable.js';

type End = { sourceId: string; destinationId?: never } | { destinationId: string; sourceId?: never };

/** The connections of a source or of a destination, and a way to add another one. */
export function Connections(end: End) {
  const client = useQueryClient();
  const canWrite = useCan('inventory', 'write');
  const connections = useQuery(connectionsQuery);
  const sources = useQuery(sourcesQuery).data ?? [];
  const destinations = useQuery(destinationsQuery).data ?? [];
  const others = end.sourceId ? destinations : sources;
  const otherOf = ({ sourceId, destinationId }: Connection) => (end.sourceId ? destinationId : sourceId);
  const nameOf = (one: Connection) => shortName(others.find(({ id }) => id === otherOf(one))?.name ?? otherOf(one));
  const done = () => client.invalidateQueries({ queryKey: ['connections'] });
  const connect = useMutation({
    mutationFn: (body: { sourceId: string; destinationId: string; enabled: boolean }) =>
      answer(api.POST('/v2/connections', { body })),
    onError: tellError,
    onSuccess: done,
  });
  const connectTo = (other: string) => connect.mutate({ sourceId: other, destinationId: other, ...end, enabled: true });
  const toggle = useAsked({
    question: (one: Connection) =>
      one.enabled
        ? {
            title: `Switch off the connection: ${nameOf(one)}?`,
            text: 'Events do not pass until you switch it on again. They are not sent later.',
            action: 'Switch off',
            keep: 'Keep it on',
          }
        : undefined,
    send: ({ id, enabled }) =>
      answer(api.PUT('/v2/connections/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
    done,
  });
  const cut = useAsked({
    question: (one: Connection) => ({
      title: `Remove the connection: ${nameOf(one)}?`,
      text: 'New events no longer pass. Events already on their way still arrive.',
      action: 'Remove',
    }),
    send: ({ id }) => answer(api.DELETE('/v2/connections/{id}', { params: { path: { id } } })),
    done: (_, { sourceId, destinationId, enabled }) => {
      tellUndo('Connection removed.', () => connect.mutate({ sourceId, destinationId, enabled }));
      return done();
    },
  });
  return (
    <Panel title={end.sourceId ? 'Destinations of this source' : 'Sources of this destination'} flush>
      <Loaded query={connections} what="The connections">
        {(all) => {
          const own = all.filter((one) => one.sourceId === end.sourceId || one.destinationId === end.destinationId);
          const free = others.filter(({ id }) => !own.some((one) => otherOf(one) === id));
          return (
            <>
              <ul className="divide-y">
                {own.map((one) => {
                  const name = nameOf(one);
                  return (
                    <li key={one.id} className="flex items-center gap-2 px-4 py-2">
                      <Link
                        to={end.sourceId ? '/destinations/$id' : '/sources/$id'}
                        params={{ id: otherOf(one) }}
                        className="min-w-0 flex-1 truncate font-medium hover:underline"
                      >
                        <Text value={name} />
                      </Link>
                      {canWrite && (
                        <>
                          <Switch
                            label={`Let events pass: ${name}`}
                            checked={one.enabled}
                            onChange={() => toggle.ask(one)}
                          />
                          <Button
                            look="quiet"
                            size="icon"
                            aria-label={`Remove the connection: ${name}`}
                            onClick={() => cut.ask(one)}
                          >
                            <Trash2 size={14} />
                          </Button>
                        </>
                      )}
                    </li>
                  );
                })}
              </ul>
              {own.length === 0 && (
                <p className="px-4 py-3 text-muted">
                  {end.sourceId ? 'None yet, so its events go nowhere.' : 'None yet, so no events arrive.'}
                </p>
              )}
              {canWrite && <Connect free={free} onConnect={connectTo} isForSource={Boolean(end.sourceId)} />}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface ConnectProps {
  free: readonly { id: string; name: string }[];
  onConnect: (id: string) => void;
  isForSource: boolean;
}

function Connect({ free, onConnect, isForSource }: ConnectProps) {
  const [chosen, setChosen] = useState('');
  const what = isForSource ? 'destination' : 'source';
  return (
    <form
      className="flex gap-2 border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen) onConnect(chosen);
        setChosen('');
      }}
    >
      {free.length > 0 && (
        <>
          <Select aria-label={`Connect a ${what}`} value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="">Connect a {what} …</option>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {shortName(name)}
              </option>
            ))}
          </Select>
          <Button type="submit" disabled={!chosen}>
            Connect
          </Button>
        </>
      )}
      {free.length === 0 && (
        <Link to={isForSource ? '/destinations/new' : '/sources/new'} className={buttonClass()}>
          <Plus size={14} aria-hidden /> Create {what}
        </Link>
      )}
    </form>
  );
}
