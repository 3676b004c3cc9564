import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answer, api } from '../../api/client.js';
import { type Source, sourcesQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { confirm } from '../../components/confirm.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Loaded, Panel } from '../../components/panel.js';
import { tellDone, tellError } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { buttonClass } from '../../components/ui/button.js';
import { MenuItem, MoreMenu } from '../../components/ui/menu.js';
import { Switch } from '../../components/ui/switch.js';
import { Connections } from './connections.js';
import { FirstEvent } from './first-event.js';
import { Snippets } from './snippets.js';
import { WriteKey } from './write-key.js';

const route = getRouteApi('/sources/$id');

export function SourcePage() {
  const { id } = route.useParams();
  const sources = useQuery(sourcesQuery);
  return (
    <Loaded query={sources} what="The source">
      {(all) => {
        const source = all.find((one) => one.id === id);
        return source ? (
          <One source={source} />
        ) : (
          <Missing title="There is no such source" all={{ label: 'All sources', to: '/sources' }} />
        );
      }}
    </Loaded>
  );
}

function One({ source }: { source: Source }) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { snippet = 'curl' } = route.useSearch();
  const canWrite = useCan('inventory', 'write');
  const done = () => client.invalidateQueries();
  const toggle = useMutation({
    mutationFn: (enabled: boolean) =>
      answer(api.PUT('/v2/sources/{id}', { params: { path: { id: source.id } }, body: { enabled } })),
    onError: tellError,
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE('/v2/sources/{id}', { params: { path: { id: source.id } } })),
    onError: tellError,
    onSuccess: async () => {
      await navigate({ to: '/sources' });
      tellDone('The source is gone.');
      await done();
    },
  });
  const askAndRemove = async () => {
    const text =
      'Its write key stops at once, and its connections go with it. Events that it sent stay where they are.';
    if (await confirm({ title: 'Delete this source?', text, action: 'Delete', typed: 'delete' })) remove.mutate();
  };
  return (
    <Page
      title={source.name}
      parent={{ label: 'Sources', to: '/sources' }}
      badge={<Badge tone={source.enabled ? 'good' : 'neutral'}>{source.enabled ? 'on' : 'off'}</Badge>}
      actions={
        <>
          <Link to="/live" search={{ source: source.id }} className={buttonClass()}>
            Watch live
          </Link>
          {canWrite && (
            <>
              <Switch
                label="Accept events of this source"
                checked={source.enabled}
                onChange={(on) => toggle.mutate(on)}
              />
              <MoreMenu>
                <MenuItem danger onSelect={() => void askAndRemove()}>
                  Delete the source
                </MenuItem>
              </MoreMenu>
            </>
          )}
        </>
      }
    >
      <FirstEvent source={source} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title="Send from your code">
          <Snippets
            source={source}
            chosen={snippet}
            onChoose={(next) => navigate({ search: { snippet: next }, replace: true })}
          />
        </Panel>
        <div className="space-y-4">
          <WriteKey source={source} />
          <Connections sourceId={source.id} />
        </div>
      </div>
    </Page>
  );
}
