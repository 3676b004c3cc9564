import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { allPages } from '../../api/pages.js';
import { Loaded, Panel } from '../../components/panel.js';
import { ShownOnce } from '../../components/shown-once.js';
import { Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Field, Select, TextField } from '../../components/ui/field.js';
import { useAsked } from '../../components/use-asked.js';
import { useKept } from '../../lib/kept.js';
import { shortName } from '../../lib/printable.js';

type Role = Schema<'CreateAccessToken'>['role'];
const ROLES: readonly [role: Role, does: string][] = [
  ['read', 'Reads, and tests without sending.'],
  ['write', 'Changes everything except tokens.'],
  ['admin', 'Changes everything, manages tokens and sees secrets.'],
  ['privacy', 'Manages regulations and schemas.'],
  ['publish', 'Manages code.'],
];

export function Tokens() {
  const client = useQueryClient();
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: () =>
      allPages(
        (page) => answer(api.GET('/v2/access-tokens', { params: { query: { page } } })),
        ({ accessTokens }) => accessTokens,
      ),
  });
  const revoke = useAsked({
    question: ({ name }: { id: string; name: string }) => ({
      title: `Revoke ${shortName(name)}?`,
      text: 'Requests with this token are refused, and its sessions end.',
      action: 'Revoke',
    }),
    send: ({ id }) => answer(api.DELETE('/v2/access-tokens/{id}', { params: { path: { id } } })),
    done: () => {
      tellDone('Token revoked.');
      void client.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
  return (
    <div className="space-y-4">
      <NewToken />
      <Panel title="Access tokens" flush>
        <Loaded query={tokens} what="The tokens">
          {(rows) => (
            <Table
              label="Access tokens"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Name',
                  sortBy: ({ name }) => name,
                  className: 'max-w-64 truncate font-medium',
                  cell: ({ name }) => <Text value={name} max={80} />,
                },
                {
                  name: 'Person',
                  sortBy: ({ email }) => email,
                  className: 'max-w-56 truncate',
                  cell: ({ email }) => <Text value={email} max={80} />,
                },
                {
                  name: 'Role',
                  sortBy: ({ role }) => role,
                  cell: ({ role }) => <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{role}</Badge>,
                },
                {
                  name: 'Last used',
                  sortBy: ({ lastUsedAt }) => lastUsedAt,
                  className: 'text-muted',
                  cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never'),
                },
                {
                  name: 'Expires',
                  sortBy: ({ expiresAt }) => expiresAt,
                  className: 'text-muted',
                  cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never'),
                },
                {
                  name: 'Action',
                  align: 'right',
                  cell: ({ id, name }) => (
                    <Button
                      size="sm"
                      look="danger"
                      aria-label={`Revoke ${name}`}
                      onClick={() => revoke.ask({ id, name })}
                    >
                      Revoke
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </div>
  );
}

const NONE = { name: '', email: '', role: 'read' as Role };

function NewToken() {
  const client = useQueryClient();
  const [typed, setTyped, forget] = useKept('new token', NONE);
  const make = useMutation({
    mutationFn: () => {
      const { email, ...rest } = typed;
      return answer(api.POST('/v2/access-tokens', { body: { ...rest, ...(email ? { email } : {}) } }));
    },
    onSuccess: () => {
      setTyped(NONE);
      forget();
      void client.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
  return (
    <Panel title="New token">
      <form
        className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextField
          label="Name"
          error={make.isError ? sentenceOf(make.error) : undefined}
          required
          value={typed.name}
          onChange={(text) => setTyped({ ...typed, name: text })}
        />
        <TextField
          label="Email address"
          hint="Defaults to yours."
          type="email"
          value={typed.email}
          onChange={(text) => setTyped({ ...typed, email: text })}
        />
        <Field label="Role" hint={ROLES.find(([role]) => role === typed.role)?.[1]}>
          {(control) => (
            <Select
              {...control}
              value={typed.role}
              onChange={({ target }) => setTyped({ ...typed, role: target.value as Role })}
            >
              {ROLES.map(([role]) => (
                <option key={role}>{role}</option>
              ))}
            </Select>
          )}
        </Field>
        <Button look="primary" type="submit" className="sm:mt-6" disabled={make.isPending}>
          Create token
        </Button>
      </form>
      {make.data && <ShownOnce text={make.data.accessToken.token} />}
    </Panel>
  );
}
