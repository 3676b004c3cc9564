import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { Snippet } from '../../components/copy.js';
import { Panel } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Field, Select, TextField } from '../../components/ui/field.js';
import { useKept } from '../../lib/kept.js';

type Type = Schema<'Channel'>['type'];

const ADDRESS: Record<Type, string> = {
  webhook: 'Address (URL)',
  slack: 'Incoming webhook (URL)',
  email: 'Addresses, separated by commas',
};
const NONE = { type: 'webhook' as Type, name: '', address: '', from: '', to: '' };

/** Quiet hours are in the time zone of the user who types them. */
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function bodyOf({ type, name, address, from, to }: typeof NONE): Schema<'NewChannel'> {
  const common = { name, ...(from && to ? { quietHours: { from, to, timeZone } } : {}) };
  if (type === 'email') return { type, ...common, to: address.split(',').map((one) => one.trim()) };
  return { type, ...common, url: address.trim() };
}

/** Creates a channel. The address may hold a token, so it is typed as one and not kept. */
export function NewChannel() {
  const client = useQueryClient();
  const [typed, setTyped, forget] = useKept('new channel', NONE, (all) => ({ ...all, address: '' }));
  const make = useMutation({
    mutationFn: () => answer(api.POST('/v2/notifications', { body: bodyOf(typed) })),
    onSuccess: () => {
      tellDone('Channel created. Send a test.');
      setTyped(NONE);
      forget();
      void client.invalidateQueries({ queryKey: ['channels'] });
    },
  });
  const secret = make.data?.channel.secret;
  return (
    <Panel title="New channel">
      <form
        className="grid items-start gap-3 sm:grid-cols-[auto_1fr_1fr_auto_auto_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field label="Type">
          {(control) => (
            <Select
              {...control}
              value={typed.type}
              onChange={({ target }) => setTyped({ ...typed, type: target.value as Type })}
            >
              <option value="webhook">Webhook</option>
              <option value="slack">Slack</option>
              <option value="email">Email</option>
            </Select>
          )}
        </Field>
        <TextField label="Name" required value={typed.name} onChange={(text) => setTyped({ ...typed, name: text })} />
        <TextField
          label={ADDRESS[typed.type]}
          error={make.isError ? sentenceOf(make.error) : undefined}
          required
          autoComplete="off"
          value={typed.address}
          onChange={(text) => setTyped({ ...typed, address: text })}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={end === 'from' ? 'Quiet from' : 'Quiet until'}
            type="time"
            required={typed.from !== '' || typed.to !== ''}
            value={typed[end]}
            onChange={(text) => setTyped({ ...typed, [end]: text })}
          />
        ))}
        <Button look="primary" type="submit" className="sm:mt-6" disabled={make.isPending}>
          Create channel
        </Button>
      </form>
      {secret !== undefined && (
        <div className="mt-3">
          <Snippet label="Signing key. It is shown only once." code={secret} />
        </div>
      )}
    </Panel>
  );
}
