import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, sentenceOf } from '../../api/client.js';
import { type Revision, type Transformation, transformationsQuery } from '../../api/code.js';
import { type Destination, destinationsQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Loaded } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { runTests } from './code-tests.js';
import { Evidence } from './evidence.js';
import { PublishForm } from './publish-form.js';

interface PublishDialogProps {
  revision: Revision;
  /** Whether it runs already. Then only destinations are added. */
  isLive: boolean;
  events: readonly Record<string, unknown>[];
  onClose: () => void;
}

const PUBLISH = {
  title: 'Publish this code',
  description: 'Its tests run on the server and must pass first.',
  done: 'Published. It goes live within a second.',
};
const CONNECT = {
  title: 'Destinations of this code',
  description: 'It is live. Choose where it runs, too.',
  done: 'Connected. It runs there within a second.',
  action: 'Connect',
};

/** Publishes with evidence: which real events change, and at which destinations. Connects code that is live already. */
export function PublishDialog({ revision: { id, versionId }, isLive, events, onClose }: PublishDialogProps) {
  // the page hears of the publish while it is still connecting
  const [published, setPublished] = useState(isLive);
  const [words] = useState(isLive ? CONNECT : PUBLISH);
  const evidence = useQuery({
    queryKey: ['evidence', versionId],
    queryFn: () => runTests(versionId, events),
    enabled: words === PUBLISH,
  });
  const code = useQuery(transformationsQuery);
  const reads = useCan('inventory', 'read');
  const destinations = useQuery({ ...destinationsQuery, enabled: reads });
  const [added, setAdded] = useState<readonly string[]>([]);
  const publish = async (commit: { commitId?: string }) => {
    const transformations = [
      events.length > 0 ? { versionId, testInput: events as Record<string, never>[] } : versionId,
    ];
    if (!published)
      await answer(api.POST('/transformations/libraries/publish', { body: { transformations, ...commit } }));
    setPublished(true);
    for (const destinationId of added) await connect(destinationId, id);
  };
  return (
    <PublishForm {...{ ...words, versionId, publish, onClose }} isReady={words === PUBLISH || added.length > 0}>
      {words === PUBLISH && (
        <Loaded query={evidence} what="The evidence">
          {(report) => <Evidence report={report} />}
        </Loaded>
      )}
      <fieldset className="space-y-2">
        <legend className="font-semibold">Destinations</legend>
        {reads ? (
          <Loaded query={destinations} what="The destinations">
            {(all) => (
              <Loaded query={code} what="The code of the destinations">
                {(others) => <Destinations {...{ id, all, others, added, setAdded }} />}
              </Loaded>
            )}
          </Loaded>
        ) : (
          <p className="text-muted">Your role does not see them. The code runs where it is connected.</p>
        )}
      </fieldset>
    </PublishForm>
  );
}

async function connect(destinationId: string, transformationId: string): Promise<void> {
  const params = { path: { id: destinationId } };
  try {
    await answer(api.PUT('/v2/destinations/{id}/transformation', { params, body: { transformationId } }));
  } catch (error) {
    throw new Error(`The code is live, but it is not connected to every destination: ${sentenceOf(error)}`);
  }
}

interface DestinationsProps {
  id: string;
  all: readonly Destination[];
  /** All code, with the destinations where it runs. */
  others: readonly Transformation[];
  added: readonly string[];
  setAdded: (ids: readonly string[]) => void;
}

function Destinations({ id, all, others, added, setAdded }: DestinationsProps) {
  const canLink = useCan('inventory', 'write');
  const linked = others.find((one) => one.id === id)?.destinations ?? [];
  if (all.length === 0) return <p className="text-muted">None yet. The code waits until one is connected.</p>;
  return all.map((one) => {
    const isLinked = linked.includes(one.id);
    const other = others.find(({ id: otherId, destinations: ids }) => otherId !== id && ids.includes(one.id));
    const isAdded = added.includes(one.id);
    return (
      <div key={one.id}>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isLinked || isAdded}
            disabled={isLinked || !canLink}
            onChange={({ target }) =>
              setAdded(target.checked ? [...added, one.id] : added.filter((each) => each !== one.id))
            }
          />
          <Text value={one.name} max={80} />
          {isLinked && <span className="text-muted">already runs here</span>}
          {other && <span className="text-warn">replaces its current code</span>}
        </label>
        {isAdded && <NotCompared replaced={other?.name} />}
      </div>
    );
  });
}

/** The server compares revisions of one piece of code. What another code, or none, makes of the events is not in the evidence. */
const NotCompared = ({ replaced }: { replaced: string | undefined }) => (
  <p className="ml-6 text-[12.5px] text-warn">
    {replaced === undefined ? (
      'Its events pass unchanged today. The evidence above does not cover this destination.'
    ) : (
      <>
        The evidence above does not compare this code with <Text value={replaced} max={80} className="font-medium" />,
        which runs here now.
      </>
    )}
  </p>
);
