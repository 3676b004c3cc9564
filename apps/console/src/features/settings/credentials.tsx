import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, sentenceOf } from '../../api/client.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { LabeledSwitch } from '../../components/ui/switch.js';
import { useAsked } from '../../components/use-asked.js';
import { useKept } from '../../lib/kept.js';
import { shortName } from '../../lib/printable.js';

const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: async () => (await answer(api.GET('/v2/credentials'))).credentials,
});

/** Values that user code reads by their key. A secret one is never shown again. */
export function Credentials() {
  const client = useQueryClient();
  const credentials = useQuery(credentialsQuery);
  const remove = useAsked({
    question: (key: string) => ({
      title: `Delete ${shortName(key)}?`,
      text: 'Code that reads it then gets nothing. Its value cannot be restored.',
      action: 'Delete',
    }),
    send: (key) => answer(api.DELETE('/v2/credentials/{key}', { params: { path: { key } } })),
    done: () => {
      tellDone('Credential deleted.');
      return client.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
  });
  return (
    <div className="space-y-4">
      <NewCredential />
      <Panel title="Credentials" note={<code className="font-mono">getCredential('key')</code>} flush>
        <Loaded query={credentials} what="The credentials">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No credentials yet">Code reads credentials by key, so it holds no secrets itself.</Empty>
            ) : (
              <Table
                label="Credentials"
                rows={rows}
                keyOf={({ key }) => key}
                columns={[
                  {
                    name: 'Key',
                    className: 'font-mono text-[12.5px]',
                    cell: ({ key }) => <Text value={key} max={80} />,
                  },
                  {
                    name: 'Value',
                    className: 'max-w-64 truncate text-muted',
                    cell: ({ isSecret, value }) => (isSecret ? 'secret' : <Text value={value ?? ''} max={80} />),
                  },
                  {
                    name: 'Created by',
                    className: 'text-muted',
                    cell: ({ createdBy }) => <Text value={createdBy} max={80} />,
                  },
                  { name: 'Updated', className: 'text-muted', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
                  {
                    name: 'Action',
                    align: 'right',
                    cell: ({ key }) => (
                      <Button size="sm" look="danger" aria-label={`Delete ${key}`} onClick={() => remove.ask(key)}>
                        Delete
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

const NONE = { key: '', value: '', isSecret: true };

function NewCredential() {
  const client = useQueryClient();
  const [typed, setTyped, forget] = useKept('new credential', NONE, (all) =>
    all.isSecret ? { ...all, value: '' } : all,
  );
  const put = useAsked({
    question: async ({ key }: typeof typed) => {
      const stored = await client.fetchQuery({ ...credentialsQuery, staleTime: 0 });
      if (!stored.some((one) => one.key === key)) return undefined;
      return {
        title: `Replace the value of ${shortName(key)}?`,
        text: 'Code then reads the new value. The old one cannot be restored.',
        action: 'Replace',
      };
    },
    send: ({ key, ...body }) => answer(api.PUT('/v2/credentials/{key}', { params: { path: { key } }, body })),
    done: () => {
      tellDone('Saved.');
      setTyped(NONE);
      forget();
      void client.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
    refused: () => undefined,
  });
  return (
    <Panel title="Add or replace a credential">
      <form
        className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          put.ask(typed);
        }}
      >
        <TextField
          label="Key"
          error={put.error ? sentenceOf(put.error) : undefined}
          required
          value={typed.key}
          onChange={(text) => setTyped({ ...typed, key: text })}
        />
        <TextField
          label="Value"
          required
          type={typed.isSecret ? 'password' : 'text'}
          autoComplete="off"
          value={typed.value}
          onChange={(text) => setTyped({ ...typed, value: text })}
        />
        <div className="flex h-8 items-center gap-2 sm:mt-6">
          <LabeledSwitch
            label="Secret"
            checked={typed.isSecret}
            onChange={(isSecret) => setTyped({ ...typed, isSecret })}
          />
        </div>
        <Button look="primary" type="submit" className="sm:mt-6" disabled={put.isPending}>
          Save
        </Button>
      </form>
    </Panel>
  );
}
