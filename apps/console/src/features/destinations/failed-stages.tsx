import { useQuery, useQueryClient } from '@tanstack/react-query';
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

const ALL = Object.keys(STAGES) as Stage[];

/** The end of a plan, which the API leaves out of a range: later failures are no part of it. */
const endOf = ({ newest }: Plan) => (newest ? { to: new Date(Date.parse(newest) + 1).toISOString() } : {});

/**
 * Everything that failed for good at a destination, by stage, with a way to send it again. For failures of which the page has loaded a part:
 * the API selects by stage, and not by reason.
 */
export function FailedStages({ destinationId }: { destinationId: string }) {
  const client = useQueryClient();
  const mayReplay = useCan('deliveries', 'write');
  const stages = useQuery({
    queryKey: ['failed stages', destinationId],
    queryFn: () => Promise.all(ALL.map(async (stage) => ({ stage, plan: await planReplay({ destinationId, stage }) }))),
    enabled: mayReplay,
    refetchInterval: every(15_000),
  });
  const send = useAsked({
    question: ({ stage, plan: { deliveries, oldest } }: { stage: Stage; plan: Plan }) => ({
      title: `Send all again that failed ${STAGES[stage]}?`,
      text: `${plural(deliveries, 'event')} will be sent again with the code and the settings of now, whatever the reason was.${oldest ? ` The oldest failed ${fullTime(new Date(oldest))}.` : ''}`,
      action: 'Send all again',
      keep: 'Cancel',
      isSafe: true,
    }),
    send: ({ stage, plan }) =>
      answer(api.POST('/v2/deliveries/replay', { body: { dryRun: false, destinationId, stage, ...endOf(plan) } })),
    done: async ({ deliveries }) => {
      tellDone(`${plural(deliveries, 'event')} on the way again.`);
      await client.invalidateQueries({ queryKey: ['failed stages'] });
      await client.invalidateQueries({ queryKey: ['failures'] });
    },
  });
  if (!mayReplay) return null;
  return (
    <Panel title="All that failed for good" note="whatever the reason" flush>
      <Loaded query={stages} what="What failed">
        {(rows) => (
          <ul className="divide-y">
            {rows
              .filter(({ plan }) => plan.deliveries > 0)
              .map((row) => (
                <li key={row.stage} className="flex items-center gap-3 px-4 py-2">
                  <span className="min-w-0 flex-1">
                    <span className="tnum font-medium">{plural(row.plan.deliveries, 'event')}</span>{' '}
                    <span className="text-muted">{STAGES[row.stage]}</span>
                  </span>
                  <Button
                    size="sm"
                    disabled={send.isPending}
                    aria-label={`Send all again that failed ${STAGES[row.stage]}`}
                    onClick={() => send.ask(row)}
                  >
                    <RotateCcw size={13} aria-hidden /> Send all again
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
