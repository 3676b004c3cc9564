import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { sendEvent } from '../../api/events.js';
import { connectionsQuery, type Source } from '../../api/inventory.js';
import { modelsQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { readWriteKey } from '../../api/write-key.js';
import { confirm } from '../../components/confirm.js';
import { Time } from '../../components/time.js';
import { tellDone, tellError } from '../../components/toast.js';
import { Dot } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { plural } from '../../lib/format.js';
import { latestOf } from '../../lib/latest.js';
import { EXAMPLE_EVENT } from '../../lib/test-event.js';
import { useStream } from '../live/stream.js';

/** Waits for the first event of a source, and turns green by itself. */
export function FirstEvent({ source }: { source: Source }) {
  const reads = useCan('schemas', 'read');
  const models = useQuery({ ...modelsQuery, enabled: reads });
  const own = (models.data ?? []).filter(({ SourceID }) => SourceID === source.id);
  const counted = own.reduce((sum, { TotalCount }) => sum + TotalCount, 0);
  const [first, setFirst] = useState<string>();
  const isWaiting = counted === 0 && first === undefined && !models.isLoading;
  // the stream takes a connection, so it is open only while nothing has come
  const { rows, refusal } = useStream(isWaiting ? { source: source.id } : undefined, false);
  const arrived = rows.findLast(({ outcome }) => outcome === 'accepted')?.at;
  if (first === undefined && arrived !== undefined) setFirst(arrived);
  const seen = latestOf([...own.map(({ LastSeen }) => LastSeen), ...(first === undefined ? [] : [first])]);
  if (models.isLoading) return null;
  if (counted === 0 && first === undefined) {
    return (
      <div
        role="status"
        className="flex flex-wrap items-center gap-3 rounded-xl border border-dashed border-line-strong px-4 py-3"
      >
        <Dot tone="warn" pulse />
        {refusal === undefined ? (
          <p>
            <span className="font-medium">Waiting for the first event.</span>{' '}
            <span className="text-muted">Send one with a snippet below. This line turns green when it arrives.</span>
          </p>
        ) : (
          <p>
            <span className="font-medium">Whether events arrive cannot be told.</span>{' '}
            <span className="text-muted">{refusal}</span>
          </p>
        )}
        <SendExample source={source} />
      </div>
    );
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-good/30 bg-good-soft px-4 py-3"
    >
      <CircleCheck size={16} className="text-good" aria-hidden />
      <p>
        <span className="font-medium text-good">Events arrive.</span>{' '}
        <span className="text-muted">
          {counted > 0 && `${plural(counted, 'event')} of ${plural(own.length, 'kind')} so far, `}
          {seen && (
            <>
              the last one <Time at={seen} />
            </>
          )}
        </span>
      </p>
      <SendExample source={source} />
      <Link to="/schemas" search={{ source: source.id }} className="font-medium text-accent hover:underline">
        View schemas
      </Link>
    </div>
  );
}

/** Sends an event as a site would, for people who have no site or terminal at hand yet. */
function SendExample({ source }: { source: Source }) {
  const canWrite = useCan('inventory', 'write');
  const connections = useQuery({ ...connectionsQuery, enabled: canWrite }).data ?? [];
  const ways = connections.filter(({ sourceId, enabled }) => enabled && sourceId === source.id).length;
  const send = useMutation({
    mutationFn: async () => sendEvent(await readWriteKey(source.id), EXAMPLE_EVENT),
    onError: tellError,
    onSuccess: () => tellDone('Sent.'),
  });
  const askAndSend = async () => {
    const question = {
      title: 'Send an example event?',
      text: `It goes to ${plural(ways, 'destination')}, like a real customer event.`,
      action: 'Send',
      keep: 'Cancel',
      isSafe: true,
    };
    if (ways === 0 || (await confirm(question))) send.mutate();
  };
  if (!canWrite || !source.enabled) return null;
  return (
    <Button size="sm" className="ml-auto" disabled={send.isPending} onClick={() => void askAndSend()}>
      Send an example event
    </Button>
  );
}
