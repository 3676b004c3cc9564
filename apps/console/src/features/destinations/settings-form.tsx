import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import type { Definition, Destination } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { Panel } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { type Config, fieldsOf, settingsOf } from '../../lib/config-form.js';
import { useKept } from '../../lib/kept.js';
import { ConfigForm } from './config-form.js';

/** Changes a destination. Secrets come as `***`, which keeps them. */
export function SettingsForm({ destination, definition }: { destination: Destination; definition: Definition }) {
  const client = useQueryClient();
  const canWrite = useCan('inventory', 'write');
  const { secretKeys } = definition.config;
  const stored = { name: destination.name, config: destination.config };
  // the time is a part of the name, so that nobody saves over what was changed elsewhere meanwhile
  const [typed, setTyped, forget] = useKept<{ name: string; config: Config }>(
    `settings ${destination.id} ${destination.updatedAt}`,
    stored,
    ({ name, config }) => ({ name, config: withStored(config, stored.config, secretKeys) }),
  );
  const save = useMutation({
    mutationFn: () => {
      // The kind is known at run time only. The API checks the settings against it.
      const body = { name: typed.name, config: settingsOf(typed.config) } as Schema<'UpdateDestination'>;
      return answer(api.PUT('/v2/destinations/{id}', { params: { path: { id: destination.id } }, body }));
    },
    onSuccess: () => {
      tellDone('Saved. It goes live within a second.');
      forget();
      void client.invalidateQueries({ queryKey: ['destinations'] });
    },
  });
  const { missing = [] } = destination;
  return (
    <Panel title="Settings" className="max-w-2xl">
      {missing.length > 0 && (
        <p role="status" className="mb-4 rounded-lg bg-warn-soft px-3 py-2 text-warn">
          Nothing is delivered until you set {missing.join(', ')}.
        </p>
      )}
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset disabled={!canWrite} className="space-y-4">
          <TextField label="Name" required value={typed.name} onChange={(name) => setTyped({ ...typed, name })} />
          <ConfigForm
            fields={fieldsOf(definition.configSchema, secretKeys)}
            config={typed.config}
            onChange={(config) => setTyped({ ...typed, config })}
          />
        </fieldset>
        {save.isError && (
          <p role="alert" className="text-bad">
            {sentenceOf(save.error)}
          </p>
        )}
        {canWrite && (
          <Button look="primary" type="submit" disabled={save.isPending}>
            Save
          </Button>
        )}
      </form>
    </Panel>
  );
}

/** The settings that the browser may keep. Those with a secret are kept as the server has them. */
function withStored(config: Config, stored: Config, secretKeys: readonly string[]): Config {
  const withSecrets = new Set(secretKeys.map((key) => key.split('.')[0]));
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, withSecrets.has(key) ? stored[key] : value]),
  );
}
