import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { answer, api, type Schema } from '../../api/client.js';
import { planReplay } from '../../api/events.js';
import { cursorOf } from '../../api/pages.js';
import { every } from '../../api/refetch.js';
import { useCan } from '../../api/session.js';
import { Empty, Panel, Trouble, Waiting } from '../../components/panel.js';
import { Progress } from '../../components/progress.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { useAsked } from '../../components/use-asked.js';
import { type FailureGroup, groupsOf, STAGES } from '../../lib/failure-groups.js';
import { count, fullTime, plural } from '../../lib/format.js';
import { FailedStages, refreshStages } from './failed-stages.js';

type Delivery = Schema<'Delivery'>;
/** Maximum number of ids in one request. */
const REPLAY_MAX = 100;

/** Deliveries that failed or wait, grouped by reason, with a way to send them again. */
export function Failures({ destinationId }: { destinationId: string }) {
  const pages = useInfiniteQuery({
    queryKey: ['failures', destinationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v2/deliveries', {
          params: { query: { destinationId, ...(pageParam ? { after_cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: ({ paging }) => cursorOf(paging.next),
    // each page is asked for again, so many pages are asked for less often
    refetchInterval: (query) => every(5_000 * (query.state.data?.pages.length ?? 1))(query),
  });
  const deliveries = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const [sent, setSent] = useState<readonly string[]>([]);
  const waiting = new Set(deliveries.map(({ id }) => id));
  const gone = sent.filter((id) => !waiting.has(id)).length;
  const client = useQueryClient();
  useEffect(() => {
    if (gone > 0) void refreshStages(client, destinationId);
  }, [gone, client, destinationId]);
  if (!pages.data)
    return pages.isError ? (
      <Trouble what="The failures cannot be shown" error={pages.error} />
    ) : (
      <Waiting what="The failures" />
    );
  const outdated = pages.isError && <Trouble what="The failures may be outdated" error={pages.error} />;
  const progress = <SentAgain sent={sent.length} gone={gone} />;
  if (deliveries.length === 0)
    return (
      <>
        {outdated}
        {progress}
        <Empty title="No failures">All events arrived or were stopped on purpose.</Empty>
      </>
    );
  return (
    <div className="space-y-4">
      {outdated}
      {progress}
      {pages.hasNextPage && <FailedStages destinationId={destinationId} />}
      {groupsOf(deliveries).map((group) => (
        <Group
          key={group.key}
          group={group}
          isPart={pages.hasNextPage}
          onSend={(ids) => setSent((before) => [...before, ...ids])}
        />
      ))}
      {pages.hasNextPage && (
        <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
          Load more
        </Button>
      )}
    </div>
  );
}

const inRequests = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / REPLAY_MAX) }, (_, at) =>
    ids.slice(at * REPLAY_MAX, (at + 1) * REPLAY_MAX),
  );
const earliestOf = (times: readonly string[]): string => [...times].sort()[0] ?? '';

/** How many of the deliveries that were sent again have left this list. One that fails again comes back as another one. */
function SentAgain({ sent, gone }: { sent: number; gone: number }) {
  if (sent === 0) return null;
  return (
    <div className="mb-4">
      <Progress label="Sent again" done={gone} of={sent}>
        {`${count(gone)} of ${plural(sent, 'event')} sent again`}
      </Progress>
    </div>
  );
}

const SHOWN = 6;

interface GroupProps {
  group: FailureGroup<Delivery>;
  /** Whether more failures can be loaded, so that the group may grow. */
  isPart: boolean;
  onSend: (ids: readonly string[]) => void;
}

function Group({ group: { reason, stage, status, deliveries }, isPart, onSend }: GroupProps) {
  const client = useQueryClient();
  const canWrite = useCan('deliveries', 'write');
  const dead = deliveries.filter((one) => one.status === 'dead' && !one.eventDropped);
  const requests = inRequests(dead.map(({ id }) => id));
  const send = useAsked({
    question: async () => {
      const plans = await Promise.all(requests.map((ids) => planReplay({ ids })));
      const events = plans.reduce((sum, plan) => sum + plan.deliveries, 0);
      const oldest = earliestOf(plans.flatMap((plan) => plan.oldest ?? []));
      return {
        title: 'Send these again?',
        text: `${plural(events, 'event')} will be sent again with the current code and settings.${oldest && ` The oldest arrived ${fullTime(new Date(oldest))}.`}`,
        action: 'Send again',
        keep: 'Cancel',
        isSafe: true,
      };
    },
    send: async () => {
      let events = 0;
      for (const ids of requests) {
        events += (await answer(api.POST('/v2/deliveries/replay', { body: { dryRun: false, ids } }))).deliveries;
        onSend(ids);
      }
      return events;
    },
    done: (events) => {
      tellDone(`Sending ${plural(events, 'event')} again.`);
      void client.invalidateQueries({ queryKey: ['failures'] });
    },
  });
  return (
    <Panel
      title={<Text value={reason} max={240} />}
      note={STAGES[stage]}
      actions={
        <>
          <Badge tone={status === 'dead' ? 'bad' : 'warn'}>
            {count(deliveries.length)}
            {isPart && '+'} {status === 'dead' ? 'failed for good' : 'waiting'}
          </Badge>
          {canWrite && dead.length > 0 && (
            <Button size="sm" disabled={send.isPending} onClick={() => send.ask()}>
              <RotateCcw size={13} aria-hidden /> Send again
            </Button>
          )}
        </>
      }
      flush
    >
      <ul className="divide-y">
        {deliveries.slice(0, SHOWN).map((one) => (
          <li key={one.id} className="flex items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1 truncate">
              {one.messageId === undefined ? (
                <Text value={one.eventName ?? one.eventType ?? one.id} max={80} />
              ) : (
                <Link
                  to="/events/$messageId"
                  params={{ messageId: one.messageId }}
                  className="font-medium hover:underline"
                >
                  <Text value={one.eventName ?? one.eventType ?? one.messageId} max={80} />
                </Link>
              )}
            </span>
            {one.eventDropped && <Badge>event not kept</Badge>}
            {one.replayRequestedAt && <Badge tone="accent">sent again</Badge>}
            <span className="tnum text-muted">{plural(one.attempts, 'attempt')}</span>
            <Time at={one.lastAttemptAt} className="tnum text-muted" />
          </li>
        ))}
        {deliveries.length > SHOWN && (
          <li className="px-4 py-2 text-muted">and {count(deliveries.length - SHOWN)} more like these</li>
        )}
      </ul>
    </Panel>
  );
}
