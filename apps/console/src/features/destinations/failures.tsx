import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { answer, api, type Schema } from '../../api/client.js';
import { replay } from '../../api/events.js';
import { cursorOf } from '../../api/pages.js';
import { every } from '../../api/query-client.js';
import { useCan } from '../../api/session.js';
import { confirm } from '../../components/confirm.js';
import { Empty, Panel, Trouble } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone, tellError } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { type FailureGroup, groupsOf, STAGES } from '../../lib/failure-groups.js';
import { count, plural } from '../../lib/format.js';

type Delivery = Schema<'Delivery'>;
/** Most ids of one replay. */
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
    refetchInterval: every(5_000),
  });
  const deliveries = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  if (pages.isError && !pages.data) return <Trouble what="The failures cannot be shown" error={pages.error} />;
  if (pages.data && deliveries.length === 0)
    return <Empty title="No failures">Every event arrived, or was stopped on purpose.</Empty>;
  return (
    <div className="space-y-4">
      {groupsOf(deliveries).map((group) => (
        <Group key={group.key} group={group} isPart={pages.hasNextPage} />
      ))}
      {pages.hasNextPage && (
        <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
          Load more
        </Button>
      )}
    </div>
  );
}

const SHOWN = 6;

interface GroupProps {
  group: FailureGroup<Delivery>;
  /** Whether more failures can be loaded, so that the group may grow. */
  isPart: boolean;
}

function Group({ group: { reason, stage, status, deliveries }, isPart }: GroupProps) {
  const client = useQueryClient();
  const canWrite = useCan('deliveries', 'write');
  const dead = deliveries.filter((one) => one.status === 'dead');
  const send = useMutation({
    mutationFn: async () => {
      const ids = dead.slice(0, REPLAY_MAX).map(({ id }) => id);
      const plan = await replay({ dryRun: true, ids });
      const oldest = plan.oldest ? new Date(plan.oldest).toLocaleString() : '';
      const text = `${plural(plan.deliveries, 'event')} will be sent again with the code and the settings of now. The oldest came ${oldest}.`;
      if (!(await confirm({ title: 'Send these again?', text, action: 'Send again' }))) return undefined;
      return replay({ dryRun: false, ids });
    },
    onError: tellError,
    onSuccess: (done) => {
      if (done) tellDone(`${plural(done.deliveries, 'event')} on the way again.`);
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
            <Button size="sm" disabled={send.isPending} onClick={() => send.mutate()}>
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
            {one.replayRequestedAt && <Badge tone="accent">sent again</Badge>}
            <span className="text-muted">{plural(one.attempts, 'attempt')}</span>
            <Time at={one.lastAttemptAt} className="text-muted" />
          </li>
        ))}
        {deliveries.length > SHOWN && (
          <li className="px-4 py-2 text-muted">and {count(deliveries.length - SHOWN)} more like these</li>
        )}
      </ul>
    </Panel>
  );
}
