import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { answer, api } from '../../api/client.js';
import { deadLetterOf, type Step, type Way } from '../../api/events.js';
import type { Destination } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { ChangeList } from '../../components/change-list.js';
import { JsonView } from '../../components/json-view.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Scroll } from '../../components/ui/scroll.js';
import { useAsked } from '../../components/use-asked.js';
import { milliseconds } from '../../lib/format.js';
import { shortName } from '../../lib/printable.js';
import { OutcomeBadge } from './outcome.js';

const CODE_SAYS: Partial<Record<string, string>> = {
  unchanged: 'Your code did not change it.',
  not_compared: 'The event is too large to compare with the output of your code.',
  dropped: 'Your code dropped it.',
  failed: 'Your code failed.',
};

/** The way of one event to one destination: what the code made of it, and each attempt to deliver it. */
export function WayView({ way, destination }: { way: Way; destination: Destination | undefined }) {
  const client = useQueryClient();
  const canReplay = useCan('deliveries', 'write');
  const deliveryId = deadLetterOf(way);
  const name = destination?.name ?? way.destinationId;
  const again = useAsked({
    question: (_: string) => ({
      title: `Send it to ${shortName(name)} again?`,
      text: 'It is sent with the current code and settings.',
      action: 'Send again',
      keep: 'Cancel',
      isSafe: true,
    }),
    send: (id) => answer(api.POST('/v2/deliveries/replay', { body: { dryRun: false, ids: [id] } })),
    done: () => {
      tellDone('Sending it again.');
      void client.invalidateQueries({ queryKey: ['event'] });
    },
  });
  return (
    <section aria-label={`Way to ${name}`} className="overflow-hidden rounded-lg border">
      <header className="flex flex-wrap items-center gap-2 border-b bg-sunken/50 px-3 py-2">
        <Link
          to="/destinations/$id"
          params={{ id: way.destinationId }}
          className="min-w-0 truncate font-semibold hover:underline"
        >
          <Text value={name} max={80} />
        </Link>
        <OutcomeBadge outcome={way.status} />
        {way.nextAttemptAt && (
          <span className="text-muted">
            next attempt <Time at={way.nextAttemptAt} />
          </span>
        )}
        {deliveryId && canReplay && (
          <Button size="sm" className="ml-auto" disabled={again.isPending} onClick={() => again.ask(deliveryId)}>
            <RotateCcw size={13} aria-hidden /> Send again
          </Button>
        )}
      </header>
      <ol className="divide-y">
        {way.steps.length === 0 && <li className="px-3 py-2.5 text-muted">In progress.</li>}
        {way.steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <li key={at} className="px-3 py-2.5">
            <StepView step={step} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepView({ step }: { step: Step }) {
  const { code, payloads = [] } = step;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <OutcomeBadge outcome={step.step} />
        {step.attempt !== undefined && <span className="text-muted">attempt {step.attempt}</span>}
        {step.responseStatus !== undefined && (
          <span className="tnum font-mono text-[12.5px]">HTTP {step.responseStatus}</span>
        )}
        {step.milliseconds !== undefined && <span className="text-muted">{milliseconds(step.milliseconds)}</span>}
        <Time at={step.at} look="clock" className="ml-auto text-[12.5px] text-muted" />
      </div>
      {step.reason && (
        <p className="rounded bg-bad-soft px-2 py-1 font-mono text-[12.5px] text-bad">
          <Text value={step.reason} max={600} />
        </p>
      )}
      {code && code.result !== 'none' && (
        <div>
          <p className="mb-1 text-[12.5px] font-medium text-muted">
            {CODE_SAYS[code.result] ?? 'Changes by your code'}
          </p>
          {code.result === 'changed' && <ChangeList changes={code.changes ?? []} left={code.moreChanges ?? 0} />}
        </div>
      )}
      {payloads.length > 0 && (
        <details className="group">
          <summary className="cursor-pointer rounded text-[12.5px] font-medium text-muted hover:text-text">
            What was sent
          </summary>
          <Scroll className="mt-1.5 max-h-80 rounded-lg border bg-bg p-3" label="What was sent">
            <JsonView value={payloads.length === 1 ? payloads[0] : payloads} label="The request" />
          </Scroll>
        </details>
      )}
    </div>
  );
}
