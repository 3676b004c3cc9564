import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { makeToken, type Workspace, workspaceTokensQuery } from '../../api/operator.js';
import { Loaded } from '../../components/panel.js';
import { ShownOnce } from '../../components/shown-once.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Dialog } from '../../components/ui/dialog.js';
import { TextField } from '../../components/ui/field.js';
import { useAsked } from '../../components/use-asked.js';
import { useKept } from '../../lib/kept.js';
import { shortName } from '../../lib/printable.js';

interface WorkspaceTokensProps {
  workspace: Workspace;
  onClose: () => void;
}

/** Who may enter a workspace. The operator lets in its first admin, who makes all other tokens. */
export function WorkspaceTokens({ workspace, onClose }: WorkspaceTokensProps) {
  const client = useQueryClient();
  const tokens = useQuery(workspaceTokensQuery(workspace.id));
  const revoke = useAsked({
    question: ({ name }: Schema<'AccessToken'>) => ({
      title: `Revoke ${shortName(name)}?`,
      text: 'Requests with this token are refused, and its sessions end.',
      action: 'Revoke',
    }),
    send: ({ id }) => answer(api.DELETE('/admin/access-tokens/{id}', { params: { path: { id } } })),
    done: () => {
      tellDone('Token revoked.');
      void client.invalidateQueries({ queryKey: ['workspace tokens'] });
    },
  });
  return (
    <Dialog open side="right" title={`Access tokens of ${workspace.name}`} onClose={onClose}>
      <div className="space-y-5">
        <NewToken workspaceId={workspace.id} />
        <Loaded query={tokens} what="The tokens">
          {(rows) => (
            <ul aria-label="Access tokens" className="divide-y rounded-lg border">
              {rows.length === 0 && <li className="px-3 py-2.5 text-muted">No tokens yet. Nobody can sign in.</li>}
              {rows.map((row) => (
                <Token key={row.id} token={row} onRevoke={() => revoke.ask(row)} />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Token({
  token: { name, email, role, lastUsedAt },
  onRevoke,
}: {
  token: Schema<'AccessToken'>;
  onRevoke: () => void;
}) {
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          <Text value={name} max={80} />
        </span>
        <span className="block truncate text-[12.5px] text-muted">
          <Text value={email} max={80} /> · {lastUsedAt ? <Time at={lastUsedAt} /> : 'never used'}
        </span>
      </span>
      <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{role}</Badge>
      <Button size="sm" look="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

const NONE = { name: 'First admin', email: '' };

function NewToken({ workspaceId }: { workspaceId: string }) {
  const client = useQueryClient();
  const [typed, setTyped, forget] = useKept(`token of ${workspaceId}`, NONE);
  const make = useMutation({
    mutationFn: () => makeToken({ ...typed, workspaceId, role: 'admin' }),
    onSuccess: () => {
      setTyped(NONE);
      forget();
      void client.invalidateQueries({ queryKey: ['workspace tokens'] });
    },
  });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <h3 className="font-semibold">New admin</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Name" required value={typed.name} onChange={(name) => setTyped({ ...typed, name })} />
        <TextField
          label="Email address"
          type="email"
          required
          error={make.isError ? sentenceOf(make.error) : undefined}
          value={typed.email}
          onChange={(email) => setTyped({ ...typed, email })}
        />
      </div>
      <Button look="primary" type="submit" disabled={make.isPending}>
        Create admin token
      </Button>
      {make.data && <ShownOnce text={make.data.accessToken.token} />}
    </form>
  );
}
