import { Link } from '@tanstack/react-router';
import type { Source } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { HIDDEN_KEY, useWriteKey } from '../../api/write-key.js';
import { Snippet } from '../../components/copy.js';
import { Empty } from '../../components/panel.js';
import { buttonClass } from '../../components/ui/button.js';
import { snippetsFor } from '../../lib/snippets.js';

interface NoEventsProps {
  isFiltered: boolean;
  /** Whether the stream has the deliveries of one destination, and nothing of what came in. */
  isOfDestination: boolean;
  /** Undefined while they are not known, or not for this role. */
  sources: readonly Source[] | undefined;
  /** The one that the stream is of. */
  chosen: string | undefined;
}

/** Why the list is empty, and what fills it. */
export function NoEvents({ isFiltered, isOfDestination, sources, chosen }: NoEventsProps) {
  const canWrite = useCan('inventory', 'write');
  if (isFiltered)
    return (
      <Empty title="No matching events yet">
        New matches appear here as they arrive.
        {isOfDestination && ' Deliveries name no user. Without a destination, they are found by what came in.'}
      </Empty>
    );
  if (sources?.length === 0)
    return (
      <Empty
        title="No sources yet"
        action={
          canWrite && (
            <Link to="/sources/new" className={buttonClass('primary')}>
              Create source
            </Link>
          )
        }
      />
    );
  const source = sources?.find(({ id }) => chosen === undefined || id === chosen);
  if (sources && !source)
    return (
      <Empty
        title="There is no such source"
        action={
          <Link to="/live" className={buttonClass('primary')}>
            Watch all sources
          </Link>
        }
      />
    );
  return source ? (
    <Waiting source={source} />
  ) : (
    <Empty title="Waiting for events">Events appear here as they are accepted.</Empty>
  );
}

function Waiting({ source }: { source: Source }) {
  const { filledIn } = useWriteKey(source);
  const [curl] = snippetsFor(HIDDEN_KEY, window.location.origin);
  return (
    <Empty title="Waiting for events">
      <p className="mb-3">Events appear here as they are accepted. Send one with:</p>
      {curl && <Snippet code={curl.code} label="Send an event with curl" copied={() => filledIn(curl.code)} />}
    </Empty>
  );
}
