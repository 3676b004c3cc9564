import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api, sentenceOf } from '../../api/client.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { Button } from '../../components/ui/button.js';
import { Field, Select, TextField } from '../../components/ui/field.js';
import { useKept } from '../../lib/kept.js';

const TYPES = [
  'Javascript',
  'HTTP',
  'Node',
  'Python',
  'iOS',
  'Android',
  'React Native',
  'Flutter',
  'Go',
  'Java',
  'Ruby',
  'PHP',
  '.NET',
  'Webhook',
];

export function NewSourcePage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped, forget] = useKept('new source', { name: '', type: 'Javascript' });
  const make = useMutation({
    mutationFn: () => answer(api.POST('/v2/sources', { body: { ...typed, enabled: true } })),
    onSuccess: ({ source }) => {
      forget();
      void client.invalidateQueries({ queryKey: ['sources'] });
      void navigate({ to: '/sources/$id', params: { id: source.id } });
    },
  });
  return (
    <Page title="New source" parent={{ label: 'Sources', to: '/sources' }}>
      <Panel title="What sends events?" className="max-w-xl">
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate();
          }}
        >
          <TextField
            label="Name"
            hint="You can change it later."
            error={make.isError ? sentenceOf(make.error) : undefined}
            required
            autoFocus
            placeholder="My site"
            value={typed.name}
            onChange={(text) => setTyped({ ...typed, name: text })}
          />
          <Field label="Type" hint="Only a label. It cannot be changed later.">
            {(control) => (
              <Select
                {...control}
                value={typed.type}
                onChange={({ target }) => setTyped({ ...typed, type: target.value })}
              >
                {TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </Select>
            )}
          </Field>
          <Button look="primary" type="submit" disabled={make.isPending}>
            Create source
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
