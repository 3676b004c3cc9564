import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { useCan } from '../../api/session.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellError, tellUndo } from '../../components/toast.js';
import { Badge, type Tone } from '../../components/ui/badge.js';
import { Field, Select } from '../../components/ui/field.js';
import { count, share } from '../../lib/format.js';

const RATES = [0.01, 0.05, 0.1, 0.25, 0.5];
const TONES: Record<string, Tone> = { running: 'accent', passed: 'good', failed: 'bad', rolledBack: 'bad' };

/** Whether Weir takes a new version back when it fails, and what became of the last ones. */
export function AutoRollback({ id }: { id: string }) {
  const client = useQueryClient();
  const canWrite = useCan('transformations', 'write');
  const params = { path: { id } };
  const setting = useQuery({
    queryKey: ['auto-rollback', id],
    queryFn: () => answer(api.GET('/transformations/{id}/auto-rollback', { params })),
  });
  const change = useMutation({
    mutationFn: (errorRate: number | null) =>
      answer(api.PUT('/transformations/{id}/auto-rollback', { params, body: { errorRate } })),
    onError: tellError,
    onSuccess: (saved) => client.setQueryData(['auto-rollback', id], saved),
  });
  const set = (next: number | null, before: number | null) =>
    change.mutate(next, { onSuccess: () => tellUndo('Saved.', () => change.mutate(before)) });
  return (
    <Loaded query={setting} what="The setting">
      {({ errorRate, trials }) => (
        <div className="space-y-4">
          <Panel title="When a new version fails" className="max-w-xl">
            <Field
              label="Roll back automatically"
              hint="Weir watches the first events of a new version. If too many fail, it rolls back to the previous version."
            >
              {(control) => (
                <Select
                  {...control}
                  disabled={!canWrite}
                  value={errorRate ?? ''}
                  onChange={({ target }) => set(target.value === '' ? null : Number(target.value), errorRate)}
                >
                  <option value="">Never</option>
                  {[...new Set([...RATES, ...(errorRate === null ? [] : [errorRate])])].map((rate) => (
                    <option key={rate} value={rate}>
                      When more than {rate * 100}% of events fail
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </Panel>
          {trials.length > 0 && (
            <Panel title="Watched versions" flush>
              <Table
                label="Watched versions"
                rows={trials}
                keyOf={({ versionId, startedAt }) => versionId + startedAt}
                columns={[
                  { name: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
                  {
                    name: 'State',
                    cell: ({ state }) => (
                      <Badge tone={TONES[state] ?? 'neutral'}>{state === 'rolledBack' ? 'rolled back' : state}</Badge>
                    ),
                  },
                  { name: 'Events', align: 'right', cell: ({ events }) => count(events) },
                  { name: 'Failed', align: 'right', cell: ({ errors, events }) => share(errors, events) },
                  {
                    name: 'Reason',
                    className: 'text-muted',
                    cell: ({ reason }) => <Text value={reason ?? ''} max={160} />,
                  },
                ]}
              />
            </Panel>
          )}
        </div>
      )}
    </Loaded>
  );
}
