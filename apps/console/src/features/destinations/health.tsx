import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { transformationsQuery } from '../../api/code.js';
import { countersQuery, type Destination } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Hours } from '../../components/chart/hours.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { buttonClass } from '../../components/ui/button.js';
import { count, milliseconds, share } from '../../lib/format.js';
import { Connections } from '../sources/connections.js';

const RANGES: readonly [hours: number, label: string][] = [
  [1, 'Last hour'],
  [24, 'Last day'],
  [168, 'Last week'],
];

const HOURS = 168;

/** The outcomes of events over three ranges, which show whether things get better or worse. */
export function Health({ destination: { id } }: { destination: Destination }) {
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel title="Outcomes">
        <div className="space-y-5">
          <Hours hours={HOURS} destinationId={id} />
          {RANGES.map(([hours, label]) => (
            <Range key={hours} id={id} hours={hours} label={label} />
          ))}
        </div>
      </Panel>
      <div className="space-y-4">
        <Connections destinationId={id} />
        <CodeOf destinationId={id} />
      </div>
    </div>
  );
}

function Range({ id, hours, label }: { id: string; hours: number; label: string }) {
  const counters = useQuery(countersQuery(hours));
  return (
    <Loaded query={counters} what={label}>
      {(rows) => {
        const row = rows.find(({ destinationId }) => destinationId === id);
        if (!row || row.accepted === 0)
          return (
            <div>
              <h3 className="font-medium">{label}</h3>
              <p className="text-muted">No events.</p>
            </div>
          );
        const stopped = row.filtered + row.dropped + row.droppedByCode + row.suppressed;
        const parts: readonly [name: string, events: number, colour: string][] = [
          ['delivered', row.delivered, 'bg-good'],
          ['stopped on purpose', stopped, 'bg-line-strong'],
          ['waiting', row.inRetry, 'bg-warn'],
          ['failed for good', row.dead, 'bg-bad'],
        ];
        // code may make several events of one, so what became of them is more than what came
        const whole = parts.reduce((sum, [, events]) => sum + events, 0);
        return (
          <div>
            <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
              <h3 className="font-medium">{label}</h3>
              <span className="tnum text-muted">{count(row.accepted)} events</span>
              {row.latencyMs && (
                <span className="ml-auto text-[12.5px] text-muted">
                  half within {milliseconds(row.latencyMs.p50)}, 95% within {milliseconds(row.latencyMs.p95)}
                </span>
              )}
            </div>
            <div className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken" aria-hidden>
              {parts.map(
                ([name, events, colour]) =>
                  events > 0 && <div key={name} className={colour} style={{ flexGrow: events }} />,
              )}
            </div>
            <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-[12.5px] text-muted">
              {parts
                .filter(([name, events]) => events > 0 || name === 'delivered')
                .map(([name, events, colour]) => (
                  <li key={name} className="tnum inline-flex items-center gap-1.5">
                    <span className={`size-2 rounded-full ${colour}`} aria-hidden /> {count(events)} {name} ·{' '}
                    {share(events, whole)}
                  </li>
                ))}
            </ul>
          </div>
        );
      }}
    </Loaded>
  );
}

function CodeOf({ destinationId }: { destinationId: string }) {
  const canRead = useCan('transformations', 'read');
  const canWrite = useCan('transformations', 'write');
  const code = useQuery({ ...transformationsQuery, enabled: canRead });
  if (!canRead) return null;
  const write = canWrite && (
    <Link to="/code/$id" params={{ id: 'new' }} className={buttonClass()}>
      Write code
    </Link>
  );
  return (
    <Panel title="Code">
      <Loaded query={code} what="The code">
        {(all) => {
          const own = all.find(({ destinations }) => destinations.includes(destinationId));
          if (!own) return <Empty title="Events pass unchanged" action={write} />;
          return (
            <Link to="/code/$id" params={{ id: own.id }} className="font-medium text-accent hover:underline">
              <Text value={own.name} max={80} />
            </Link>
          );
        }}
      </Loaded>
    </Panel>
  );
}
