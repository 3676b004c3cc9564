import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { answer, api, type Schema } from '../../api/client.js';
import { planReplay } from '../../api/events.js';
import { every } from '../../api/refetch.js';
import { useCan } from '../../api/session.js';
import { Loaded, Panel } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { useAsked } from '../../components/use-asked.js';
import { STAGES, type Stage } from '../../lib/failure-groups.js';
import { fullTime, plural } from '../../lib/format.js';

type Plan = Schema<'ReplayAnswer'>;
interface Row {
  stage: Stage;
  plan: Plan;
}

/** A plan counts everything that failed at a stage, so it is rarely made. {@link refreshStages} makes a new one when a user waits for it. */
const PLAN_MS = 120_000;

const ALL = Object.keys(STAGES) as Stage[];

/** The end of a plan, which the API leaves out of a range: later failures are no part of it. */
const endOf = ({ newest }: Plan) => (newest ? { to: new Date(Date.parse(newest) + 1).toISOString() } : {});

const keyOf = (destinationId: string) => ['failed stages', destinationId];

/** For failures that have left the list: they count no longer. */
export const refreshStages = (client: QueryClient, destinationId: string) =>
  client.invalidateQueries({ queryKey: keyOf(destinationId) });

/**
 * Everything that failed for good at a destination, by stage, with a way to send it again. The page uses it when it has loaded only a part
 * of the failures, because the API selects by stage and not by reason.
 */
export function FailedStages({ destinationId }: { destinationId: string }) {
  const client = useQueryClient();
  const mayReplay = useCan('deliveries', 'write');
  const stages = useQuery({
    queryKey: keyOf(destinationId),
    queryFn: () => Promise.all(ALL.map(async (stage) => ({ stage, plan: await planReplay({ destinationId, stage }) }))),
    enabled: mayReplay,
    refetchInterval: every(PLAN_MS),
  });
  const send = useAsked({
    question: ({ stage, plan: { deliveries, oldest } }: Row) => ({
      title: `Send all again that failed ${STAGES[stage]}?`,
      text: `${plural(deliveries, 'event')} will be sent again with the code and the settings of now, whatever the reason was.${oldest ? ` The oldest failed ${fullTime(new Date(oldest))}.` : ''}`,
      action: 'Send all again',
      keep: 'Cancel',
      isSafe: true,
    }),
    send: ({ stage, plan }) =>
      answer(api.POST('/v2/deliveries/replay', { body: { dryRun: false, destinationId, stage, ...endOf(plan) } })),
    done: async ({ deliveries }, { stage }) => {
      tellDone(`${plural(deliveries, 'event')} on the way again.`);
      // a plan of now would count those that have not left yet, and offer them once more
      client.setQueryData<Row[]>(keyOf(destinationId), (rows) => rows?.filter((row) => row.stage !== stage));
      await client.invalidateQueries({ queryKey: ['failures'] });
    },
  });
  if (!mayReplay) return null;
  return (
    <Panel title="All that failed for good" note="whatever the reason" flush>
      <Loaded query={stages} what="What failed">
        {(rows) => {
          const failed = rows.filter(({ plan }) => plan.deliveries > 0);
          if (failed.length === 0) return <p className="px-4 py-3.5 text-muted">Nothing is left to send again.</p>;
          return (
            <ul className="divide-y">
              {failed.map((row) => (
                <Failed key={row.stage} row={row} isSending={send.isPending} onSend={() => send.ask(row)} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Failed({ row: { stage, plan }, isSending, onSend }: { row: Row; isSending: boolean; onSend: () => void }) {
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1">
        <span className="tnum font-medium">{plural(plan.deliveries, 'event')}</span>{' '}
        <span className="text-muted">{STAGES[stage]}</span>
      </span>
      <Button
        size="sm"
        disabled={isSending}
        aria-label={`Send all again that failed ${STAGES[stage]}`}
        onClick={onSend}
      >
        <RotateCcw size={13} aria-hidden /> Send all again
      </Button>
    </li>
  );
}
