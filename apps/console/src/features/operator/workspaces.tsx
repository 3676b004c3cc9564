import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answer, api, sentenceOf } from '../../api/client.js';
import { makeWorkspace, type Workspace, workspacesQuery } from '../../api/operator.js';
import { Loaded, Panel } from '../../components/panel.js';
import { type Column, Table } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Button, buttonClass } from '../../components/ui/button.js';
import { TextField } from '../../components/ui/field.js';
import { Switch } from '../../components/ui/switch.js';
import { useAsked } from '../../components/use-asked.js';
import { plural } from '../../lib/format.js';
import { useKept } from '../../lib/kept.js';
import { shortName } from '../../lib/printable.js';
import { WorkspaceTokens } from './workspace-tokens.js';

const route = getRouteApi('/operator');

export function Workspaces() {
  const { workspace: chosenId } = route.useSearch();
  const navigate = route.useNavigate();
  const workspaces = useQuery(workspacesQuery);
  const chosen = workspaces.data?.find(({ id }) => id === chosenId);
  return (
    <div className="space-y-4">
      <NewWorkspace />
      <Panel title="Workspaces" note={workspaces.data && plural(workspaces.data.length, 'workspace')} flush>
        <Loaded query={workspaces} what="The workspaces">
          {(rows) => <Table label="Workspaces" rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />}
        </Loaded>
      </Panel>
      {chosen && <WorkspaceTokens workspace={chosen} onClose={() => void navigate({ search: {} })} />}
    </div>
  );
}

function NewWorkspace() {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const [name, setName, forget] = useKept('new workspace', '');
  const make = useMutation({
    mutationFn: () => makeWorkspace(name),
    onSuccess: async ({ workspace }) => {
      setName('');
      forget();
      tellDone('Workspace created. Create its first token to let someone in.');
      await client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      void navigate({ search: { workspace: workspace.id } });
    },
  });
  return (
    <Panel title="New workspace">
      <form
        className="flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <div className="w-full max-w-sm">
          <TextField
            label="Name"
            hint="Other workspaces cannot see its events."
            required
            error={make.isError ? sentenceOf(make.error) : undefined}
            value={name}
            onChange={setName}
          />
        </div>
        <Button look="primary" type="submit" className="mt-6" disabled={make.isPending}>
          Create workspace
        </Button>
      </form>
    </Panel>
  );
}

const COLUMNS: readonly Column<Workspace>[] = [
  {
    name: 'Name',
    className: 'max-w-80 truncate font-medium',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <Text value={name} max={80} />,
  },
  { name: 'ID', className: 'font-mono text-xs text-muted', cell: ({ id }) => id },
  { name: 'Fetch allowed', cell: (workspace) => <MayFetch workspace={workspace} /> },
  {
    name: 'Created',
    className: 'text-muted',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    name: 'Action',
    align: 'right',
    cell: ({ id, name }) => (
      <Link
        to="/operator"
        search={(before) => ({ ...before, workspace: id })}
        aria-label={`Access tokens of ${name}`}
        className={buttonClass('plain', 'sm')}
      >
        Access tokens
      </Link>
    ),
  },
];

function MayFetch({ workspace: { id, name, allowFetch: isAllowed } }: { workspace: Workspace }) {
  const client = useQueryClient();
  const change = useAsked({
    question: (allowed: boolean) =>
      allowed
        ? {
            title: `Allow fetch for ${shortName(name)}?`,
            text: 'Code of this workspace can then send event data to any public address.',
            action: 'Allow fetch',
            keep: 'Cancel',
          }
        : {
            title: `Forbid fetch for ${shortName(name)}?`,
            text: 'Code that calls an address then fails, and so do its events.',
            action: 'Forbid fetch',
            keep: 'Keep it allowed',
          },
    send: (allowed) =>
      answer(api.PATCH('/admin/workspaces/{id}', { params: { path: { id } }, body: { allowFetch: allowed } })),
    done: () => client.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
  return <Switch label={`Allow fetch for ${name}`} checked={isAllowed} onChange={change.ask} />;
}
