import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client.js';
import { type Revision, transformationsQuery } from '../../api/code.js';
import { destinationsQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Loaded } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { runTests } from './code-tests.js';
import { Evidence } from './evidence.js';
import { PublishForm } from './publish-form.js';

interface PublishDialogProps {
  revision: Revision;
  events: readonly Record<string, unknown>[];
  onClose: () => void;
}

/** Publishes with evidence: which real events change, and at which destinations. */
export function PublishDialog({ revision: { id, versionId }, events, onClose }: PublishDialogProps) {
  const canLink = useCan('inventory', 'write');
  const evidence = useQuery({ queryKey: ['evidence', versionId], queryFn: () => runTests(versionId, events) });
  const code = useQuery(transformationsQuery).data ?? [];
  const linked = code.find((one) => one.id === id)?.destinations ?? [];
  const destinations = useQuery({ ...destinationsQuery, enabled: useCan('inventory', 'read') }).data ?? [];
  const [added, setAdded] = useState<readonly string[]>([]);
  const publish = async (commit: { commitId?: string }) => {
    const transformations = [
      events.length > 0 ? { versionId, testInput: events as Record<string, never>[] } : versionId,
    ];
    await answer(api.POST('/transformations/libraries/publish', { body: { transformations, ...commit } }));
    for (const destinationId of added) {
      const params = { path: { id: destinationId } };
      await answer(api.PUT('/v2/destinations/{id}/transformation', { params, body: { transformationId: id } }));
    }
  };
  return (
    <PublishForm
      title="Publish this code"
      description="Its tests run on the server and must pass first."
      done="Published. It goes live within a second."
      {...{ versionId, publish, onClose }}
    >
      <Loaded query={evidence} what="The evidence">
        {(report) => <Evidence report={report} />}
      </Loaded>
      <fieldset className="space-y-2">
        <legend className="font-semibold">Destinations</legend>
        {destinations.length === 0 && <p className="text-muted">None yet. The code waits until one is connected.</p>}
        {destinations.map((one) => {
          const isLinked = linked.includes(one.id);
          const other = code.find(({ id: otherId, destinations: ids }) => otherId !== id && ids.includes(one.id));
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
        })}
      </fieldset>
    </PublishForm>
  );
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
