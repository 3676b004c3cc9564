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
import { Edges } from './edges.js';
import { layoutOf, ROW } from './layout.js';

interface FlowProps {
  sources: readonly Source[];
  destinations: readonly Destination[];
  connections: readonly Connection[];
  counters: readonly Counters[];
  transformations: readonly Transformation[];
  /** Events that are delivered each second, by destination. */
  rates: ReadonlyMap<string, number>;
}

/** Sources, code and destinations with the ways between them. Each row has a fixed height, so the lines need no measuring. */
export function Flow(facts: FlowProps) {
  const connect = useConnect();
  const canWrite = useCan('inventory', 'write');
  if (facts.sources.length === 0) return <First />;
  const layout = layoutOf(facts);
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
              tone={source.enabled ? 'good' : 'neutral'}
              note={source.enabled ? '' : 'off'}
              {...(canWrite && {
                drag: dragOf(source.id),
                actions: (
                  <ConnectMenu
                    source={source}
                    destinations={facts.destinations}
                    connections={facts.connections}
                    onConnect={(destination) => connect({ source, destination })}
                  />
                ),
              })}
            />
          ))}
        </Lane>
        <Edges lines={layout.intoCode} height={height} />
        <Lane label="Code" height={height} passing={layout.passing}>
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
          <Edges
            lines={layout.outOfCode.map((line) => ({
              ...line,
              tone: notes.get(layout.destinations[line.to]?.id ?? '')?.tone,
            }))}
            height={height}
          />
          <EdgeNotes destinations={layout.destinations} notes={notes} />
        </div>
        <Lane label="Destinations" height={height}>
          {layout.destinations.map((one) => {
            const row = rowOf(one.id);
            const { tone, label } = healthOf(one, row);
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
      {layout.left > 0 && <p className="mt-2 text-muted">{layout.left} more are in the lists.</p>}
    </Scroll>
  );
}

interface LaneProps {
  label: string;
  height: number;
  passing?: readonly number[];
  children: ReactNode;
}

const Lane = ({ label, height, passing = [], children }: LaneProps) => (
  <div>
    <h3 className="mb-1 h-5 text-xs font-medium text-muted">{label}</h3>
    <div className="relative" style={{ height }}>
      <ul>{children}</ul>
      {[...new Set(passing)].map((row) => (
        <div
          key={row}
          className="absolute inset-x-0 border-t-[1.5px] border-accent/55"
          style={{ top: row * ROW + ROW / 2 - 0.75 }}
        />
      ))}
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
  <li className="flex items-center gap-1 py-1" style={{ height: ROW }}>
    <Link
      to={to}
      params={{ id }}
      {...drag}
      className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-lg border bg-bg px-3 transition-colors hover:border-accent"
    >
      <Dot tone={tone} />
      <span className="min-w-0 flex-1 truncate font-medium">
        <Text value={name} max={60} />
      </span>
      {note && <span className="tnum shrink-0 text-xs text-muted">{note}</span>}
    </Link>
    {actions}
  </li>
);

const First = () => (
  <Empty
    title="No source yet"
    action={
      <Link to="/sources/new" className={buttonClass('primary')}>
        Make the first source
      </Link>
    }
  >
    A source is a site, an app or a server that sends events. It comes with a write key and a snippet to paste.
  </Empty>
);
