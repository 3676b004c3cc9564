import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, ifMatch, type Schema, sentenceOf } from '../../api/client.js';
import type { Definition, Destination } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { ChangeList } from '../../components/change-list.js';
import { ChangedElsewhere } from '../../components/changed-elsewhere.js';
import { Panel } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { useDraft } from '../../components/use-draft.js';
import { type Config, fieldsOf, settingsOf, withoutSecrets } from '../../lib/config-form.js';
import { diffJson } from '../../lib/json-diff.js';
import { ConfigForm } from './config-form.js';

interface SettingsFormProps {
  destination: Destination;
  etag: string | undefined;
  definition: Definition;
}

/** Changes a destination. Secrets come as `***`, which keeps them. */
export function SettingsForm({ destination, etag, definition }: SettingsFormProps) {
  const client = useQueryClient();
  const canWrite = useCan('inventory', 'write');
  const { secretKeys } = definition.config;
  const stored = { name: destination.name, config: destination.config };
  const draft = useDraft<{ name: string; config: Config }>(
    `settings ${destination.id}`,
    { value: stored, etag },
    ({ name, config }) => ({ name, config: withStored(config, stored.config, secretKeys) }),
  );
  const { value: typed, theirs, change } = draft;
  const shown = ({ name, config }: typeof typed) => ({ name, ...withoutSecrets(config, secretKeys) });
  const save = useMutation({
    mutationFn: async () => {
      // The kind is known at run time only. The API checks the settings against it.
      const body = { name: typed.name, config: settingsOf(typed.config) } as Schema<'UpdateDestination'>;
      const params = { path: { id: destination.id }, header: ifMatch(draft.etag) };
      await answer(api.PUT('/v2/destinations/{id}', { params, body }));
      return typed;
    },
    onSuccess: () => tellDone('Saved. It goes live within a second.'),
    // after a refusal too: it may tell of a change that this page has not seen
    onSettled: async (sent) => {
      await client.invalidateQueries({ queryKey: ['destinations'] });
      if (sent) draft.saved(sent);
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
          <TextField label="Name" required value={typed.name} onChange={(name) => change({ ...typed, name })} />
          <ConfigForm
            fields={fieldsOf(definition.configSchema, secretKeys)}
            config={typed.config}
            onChange={(config) => change({ ...typed, config })}
          />
        </fieldset>
        <ChangedElsewhere draft={draft}>
          {theirs && <ChangeList {...diffJson(shown(theirs), shown(typed))} />}
        </ChangedElsewhere>
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
