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

/** Publishes with evidence: which real events come out otherwise than today, and at which destinations. */
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
      description="It has to pass its tests on the server first."
      done="Published. It is live within a second."
      {...{ versionId, publish, onClose }}
    >
      <Loaded query={evidence} what="The evidence">
        {(report) => <Evidence report={report} />}
      </Loaded>
      <fieldset className="space-y-2">
        <legend className="font-semibold">Destinations that it runs for</legend>
        {destinations.length === 0 && (
          <p className="text-muted">There is none yet. The code waits until one is connected.</p>
        )}
        {destinations.map((one) => {
          const isLinked = linked.includes(one.id);
          const isTaken = !isLinked && code.some((other) => other.destinations.includes(one.id));
          return (
            <label key={one.id} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isLinked || added.includes(one.id)}
                disabled={isLinked || !canLink}
                onChange={({ target }) =>
                  setAdded(target.checked ? [...added, one.id] : added.filter((other) => other !== one.id))
                }
              />
              <Text value={one.name} max={80} />
              {isLinked && <span className="text-muted">today already</span>}
              {isTaken && <span className="text-warn">replaces its code of today</span>}
            </label>
          );
        })}
      </fieldset>
    </PublishForm>
  );
}
