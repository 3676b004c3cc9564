import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import type { Definition } from '../../api/inventory.js';
import { Button } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { type Config, fieldsOf, settingsOf, withoutSecrets } from '../../lib/config-form.js';
import { useKept } from '../../lib/kept.js';
import { ConfigForm } from './config-form.js';

/** Creates a destination. Secrets are not among what is kept while the tab is open. */
export function CreateForm({ definition }: { definition: Definition }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const fields = fieldsOf(definition.configSchema, definition.config.secretKeys);
  const [typed, setTyped, forget] = useKept<{ name: string; config: Config }>(
    `new ${definition.name}`,
    {
      name: definition.displayName,
      config: {},
    },
    ({ name, config }) => ({ name, config: withoutSecrets(config, definition.config.secretKeys) }),
  );
  const make = useMutation({
    mutationFn: () => {
      // The kind is known at run time only, so its settings cannot be told apart at compile time. The API checks them.
      const body = { name: typed.name, type: definition.name, enabled: true, config: settingsOf(typed.config) };
      return answer(api.POST('/v2/destinations', { body: body as Schema<'CreateDestination'> }));
    },
    onSuccess: ({ destination }) => {
      forget();
      void client.invalidateQueries({ queryKey: ['destinations'] });
      void navigate({ to: '/destinations/$id', params: { id: destination.id } });
    },
  });
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <TextField label="Name" required value={typed.name} onChange={(text) => setTyped({ ...typed, name: text })} />
      <ConfigForm fields={fields} config={typed.config} onChange={(config) => setTyped({ ...typed, config })} />
      {make.isError && (
        <p role="alert" className="text-bad">
          {sentenceOf(make.error)}
        </p>
      )}
      <Button look="primary" type="submit" disabled={make.isPending}>
        Create destination
      </Button>
    </form>
  );
}
