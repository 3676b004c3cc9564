import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { isUnknown } from '../../api/errors.js';
import { deadLetterOf, deliveryQuery, eventQuery, type Trace } from '../../api/events.js';
import { destinationsQuery, type Source, sourcesQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { HIDDEN_KEY, useWriteKey } from '../../api/write-key.js';
import { Copy } from '../../components/copy.js';
import { JsonView } from '../../components/json-view.js';
import { Empty, Loaded } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Button } from '../../components/ui/button.js';
import { Scroll } from '../../components/ui/scroll.js';
import { bytes, plural } from '../../lib/format.js';
import { isRecord, pretty } from '../../lib/json.js';
import { curlOf } from '../../lib/snippets.js';
import { takeAsTestEvent } from '../../lib/test-event.js';
import { OutcomeBadge } from './outcome.js';
import { WayView } from './way-view.js';

const SAID: Partial<Record<Trace['status'], string>> = {
  suppressed: 'A regulation stopped it before anything was sent.',
  no_connection: 'Its source has no connected destination.',
  not_kept: 'Its history was not kept. A busy workspace keeps the history of only some events.',
};

/** The whole life of one event. `seen` is what came in, if this page saw it. Weir itself keeps a copy in dead letters alone. */
export function EventLife({ messageId, seen }: { messageId: string; seen?: unknown }) {
  const trace = useQuery(eventQuery(messageId));
  const letter = trace.data?.destinations.map(deadLetterOf).find((id) => id !== undefined);
  const kept = useQuery({ ...deliveryQuery(letter ?? ''), enabled: seen === undefined && letter !== undefined });
  const came = seen ?? kept.data?.event;
  const sources = useQuery(sourcesQuery).data ?? [];
  const destinations = useQuery(destinationsQuery).data ?? [];
  const source = sources.find(({ id }) => id === trace.data?.sourceId);
  const isMissing = !trace.data && isUnknown(trace.error);
  return (
    <div className="space-y-5">
      {came !== undefined && (
        <section className="space-y-2">
          <div className="flex items-center justify-between">
            <h2 className="font-semibold">Received event</h2>
            <div className="flex items-center gap-1">
              <TestEvent event={came} destinationId={trace.data?.destinations[0]?.destinationId} />
              <Copy text={pretty(came)} label="Copy JSON" />
              {source && isRecord(came) && <CopyAsCurl came={came} source={source} />}
            </div>
          </div>
          <Scroll className="max-h-72 rounded-lg border bg-bg p-3" label="Received event">
            <JsonView value={came} label="The event" />
          </Scroll>
        </section>
      )}
      {isMissing ? (
        <Empty title="No record of this event yet">
          It appears here once it is processed. If it never does, it did not arrive or is older than a few days.
        </Empty>
      ) : (
        <Loaded query={trace} what="The event">
          {(life) => (
            <>
              <Facts life={life} sourceName={source?.name ?? life.sourceId} />
              {SAID[life.status] && <p className="text-muted">{SAID[life.status]}</p>}
              {came === undefined && !kept.isLoading && (
                <p className="text-muted">
                  The received event is kept only if it failed for good, and shown to admins.
                </p>
              )}
              {life.destinations.map((way) => (
                <WayView
                  key={way.destinationId}
                  way={way}
                  destination={destinations.find(({ id }) => id === way.destinationId)}
                />
              ))}
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

function CopyAsCurl({ came, source }: { came: Record<string, unknown>; source: Source }) {
  const { filledIn } = useWriteKey(source);
  return <Copy text={() => filledIn(curlOf(came, HIDDEN_KEY, window.location.origin))} label="Copy as curl" />;
}

/** Takes the event to the test of a destination: of one that it went to, if there is any. */
function TestEvent({ event, destinationId: id }: { event: unknown; destinationId: string | undefined }) {
  const navigate = useNavigate();
  if (!useCan('test', 'test')) return null;
  const use = () => {
    takeAsTestEvent(event);
    void (id
      ? navigate({ to: '/destinations/$id', params: { id }, search: { tab: 'test' } })
      : navigate({ to: '/destinations' }));
  };
  return (
    <Button size="sm" look="quiet" onClick={use}>
      <FlaskConical size={13} aria-hidden /> Use as test event
    </Button>
  );
}

function Facts({ life, sourceName }: { life: Trace; sourceName: string }) {
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1.5 [&>dt]:text-muted">
      <dt>Event</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium">
          <Text value={life.eventName ?? life.eventType ?? 'unnamed'} max={200} />
        </span>
        <OutcomeBadge outcome={life.status} />
      </dd>
      <dt>Source</dt>
      <dd>
        <Text value={sourceName} max={120} />
      </dd>
      {life.receivedAt && (
        <>
          <dt>Received</dt>
          <dd>
            <Time at={life.receivedAt} look="full" />
            {life.bytes !== undefined && <span className="text-muted"> · {bytes(life.bytes)}</span>}
            {(life.copies ?? 1) > 1 && (
              <span className="text-muted"> · {plural(life.copies ?? 1, 'copy', 'copies')}</span>
            )}
          </dd>
        </>
      )}
      {life.messageId && (
        <>
          <dt>Message ID</dt>
          <dd className="flex items-center gap-1">
            <code className="font-mono text-[12.5px]">
              <Text value={life.messageId} max={120} />
            </code>
            <Copy text={life.messageId} />
          </dd>
        </>
      )}
    </dl>
  );
}
