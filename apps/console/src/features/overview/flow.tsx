import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Transformation } from '../../api/code.js';
import type { Connection, Counters, Destination, Source } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { healthOf } from '../../components/health.js';
import { Empty } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Dot, type Tone } from '../../components/ui/badge.js';
import { buttonClass } from '../../components/ui/button.js';
import { Scroll } from '../../components/ui/scroll.js';
import { count } from '../../lib/format.js';
import { ConnectMenu, dragOf, dropOf, useConnect } from './connect.js';
import { EdgeNotes, edgeNoteOf } from './edge-notes.js';
import { Edges, type EdgesProps } from './edges.js';
import { type Line, layoutOf, ROW } from './layout.js';

interface FlowProps {
  sources: readonly Source[];
  destinations: readonly Destination[];
  /** Undefined while nobody knows them. */
  connections: readonly Connection[] | undefined;
  counters: readonly Counters[];
  /** Whether the counters are known. */
  isCounted: boolean;
  transformations: readonly Transformation[];
  /** Events that are delivered each second, by destination. */
  rates: ReadonlyMap<string, number>;
}

/** Sources, code and destinations with the ways between them. Each row has a fixed height, so the lines need no measuring. */
export function Flow(facts: FlowProps) {
  const connect = useConnect();
  const canWrite = useCan('inventory', 'write');
  if (facts.sources.length === 0) return <First canWrite={canWrite} />;
  const connections = facts.connections ?? [];
  const layout = layoutOf({ ...facts, connections });
  const rowOf = (id: string) => facts.counters.find(({ destinationId }) => destinationId === id);
  const notes = new Map(
    layout.destinations.flatMap(({ id }) => {
      const note = edgeNoteOf(rowOf(id), facts.rates.get(id) ?? 0);
      return note ? [[id, note] as const] : [];
    }),
  );
  const connectTo = (destination: Destination) => (sourceId: string) => {
    const source = facts.sources.find(({ id }) => id === sourceId);
    if (source) connect({ source, destination });
  };
  const toned = (lines: readonly Line[]) =>
    lines.map((line) => ({ ...line, tone: notes.get(layout.destinations[line.to]?.id ?? '')?.tone }));
  const height = Math.max(layout.sources.length, layout.code.length, layout.destinations.length) * ROW;
  return (
    <Scroll className="p-4" label="Flow of events">
      <div className="grid min-w-[860px] grid-cols-[minmax(0,1fr)_9%_minmax(0,1fr)_10rem_minmax(0,1fr)]">
        <Lane label="Sources" height={height}>
          {layout.sources.map((source) => (
            <Node
              key={source.id}
              to="/sources/$id"
              id={source.id}
              name={source.name}
              {...stateOf(source, facts.connections)}
              {...(canWrite && {
                drag: dragOf(source.id),
                actions: (
                  <ConnectMenu
                    source={source}
                    destinations={facts.destinations}
                    connections={connections}
                    onConnect={(destination) => connect({ source, destination })}
                  />
                ),
              })}
            />
          ))}
        </Lane>
        <Edges lines={layout.intoCode} height={height} />
        <Lane label="Code" height={height} passing={toned(layout.passing)}>
          {layout.code.map((one) => (
            <Node
              key={one.id}
              to="/code/$id"
              id={one.id}
              name={one.name}
              tone={one.rolledBack ? 'bad' : 'accent'}
              note=""
            />
          ))}
        </Lane>
        <div className="relative">
          <Edges lines={toned(layout.outOfCode)} height={height} />
          <EdgeNotes destinations={layout.destinations} notes={notes} />
        </div>
        <Lane label="Destinations" height={height}>
          {layout.destinations.map((one) => {
            const row = rowOf(one.id);
            const { tone, label } = healthOf(one, row, facts.isCounted);
            const note = row && row.accepted > 0 ? `${count(row.delivered)} delivered` : label;
            return (
              <Node
                key={one.id}
                to="/destinations/$id"
                id={one.id}
                name={one.name}
                tone={tone}
                note={note}
                {...(canWrite && { drag: dropOf(connectTo(one)) })}
              />
            );
          })}
        </Lane>
      </div>
      {layout.left > 0 && <p className="mt-2 text-muted">{count(layout.left)} more in the lists.</p>}
    </Scroll>
  );
}

interface LaneProps {
  label: string;
  height: number;
  passing?: EdgesProps['lines'];
  children: ReactNode;
}

const Lane = ({ label, height, passing = [], children }: LaneProps) => (
  <div>
    <h3 className="mb-1 h-5 text-xs font-medium text-muted">{label}</h3>
    <div className="relative" style={{ height }}>
      <ul>{children}</ul>
      <Edges lines={passing} height={height} className="pointer-events-none absolute inset-0 w-full" />
    </div>
  </div>
);

interface NodeProps {
  to: '/sources/$id' | '/code/$id' | '/destinations/$id';
  id: string;
  name: string;
  tone: Tone;
  note: string;
  /** Listeners of a drag that begins or ends here. */
  drag?: ReturnType<typeof dragOf> | ReturnType<typeof dropOf>;
  actions?: ReactNode;
}

const Node = ({ to, id, name, tone, note, drag, actions }: NodeProps) => (
  <li className="py-1" style={{ height: ROW }}>
    <div className="flex h-9 items-center rounded-lg border bg-bg transition-colors hover:border-accent">
      <Link to={to} params={{ id }} {...drag} className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-lg px-3">
        <Dot tone={tone} />
        <span className="min-w-0 flex-1 truncate font-medium">
          <Text value={name} max={60} />
        </span>
        {note && <span className="tnum shrink-0 text-xs text-muted">{note}</span>}
      </Link>
      {actions}
    </div>
  </li>
);

/** A source is well if its events go somewhere. */
function stateOf({ id, enabled }: Source, connections: FlowProps['connections']): { tone: Tone; note: string } {
  if (!enabled) return { tone: 'neutral', note: 'off' };
  const isConnected = !connections || connections.some((one) => one.enabled && one.sourceId === id);
  return isConnected ? { tone: 'good', note: '' } : { tone: 'warn', note: 'no route' };
}

const First = ({ canWrite }: { canWrite: boolean }) => (
  <Empty
    title="No sources yet"
    action={
      canWrite && (
        <Link to="/sources/new" className={buttonClass('primary')}>
          Create your first source
        </Link>
      )
    }
  >
    A source is a site, an app or a server that sends events. It comes with a write key and a snippet to paste.
  </Empty>
);
