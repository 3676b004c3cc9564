import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { answer, api, sentenceOf } from '../../api/client.js';
import { isUnknown } from '../../api/errors.js';
import { type Source, sourceQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { HIDDEN_KEY, useWriteKey } from '../../api/write-key.js';
import { Copy } from '../../components/copy.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Loaded, Panel } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button, buttonClass } from '../../components/ui/button.js';
import { MoreMenu } from '../../components/ui/menu.js';
import { LabeledSwitch } from '../../components/ui/switch.js';
import { useAsked } from '../../components/use-asked.js';
import { shortName } from '../../lib/printable.js';
import { Connections } from './connections.js';
import { FirstEvent } from './first-event.js';
import { Snippets } from './snippets.js';

const route = getRouteApi('/sources/$id');

export function SourcePage() {
  const { id } = route.useParams();
  const source = useQuery(sourceQuery(id));
  if (isUnknown(source.error))
    return <Missing title="There is no such source" all={{ label: 'All sources', to: '/sources' }} />;
  return (
    <Loaded query={source} what="The source">
      {(one) => <One key={id} source={one} />}
    </Loaded>
  );
}

function One({ source }: { source: Source }) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { snippet = 'curl' } = route.useSearch();
  const canWrite = useCan('inventory', 'write');
  const done = () => client.invalidateQueries();
  const name = shortName(source.name);
  const toggle = useAsked({
    question: (on: boolean) =>
      on
        ? undefined
        : {
            title: `Switch off ${name}?`,
            text: 'Weir refuses its events until you switch it on again. Most senders do not keep them.',
            action: 'Switch off',
            keep: 'Keep it on',
          },
    send: (enabled) => answer(api.PUT('/v2/sources/{id}', { params: { path: { id: source.id } }, body: { enabled } })),
    done,
  });
  const remove = useAsked({
    question: () => ({
      title: `Delete ${name}?`,
      text: 'Its write key stops working at once, and its connections are deleted. Events already sent stay where they are.',
      action: 'Delete',
      typed: 'delete',
    }),
    send: () => answer(api.DELETE('/v2/sources/{id}', { params: { path: { id: source.id } } })),
    done: async () => {
      await navigate({ to: '/sources' });
      tellDone('Source deleted.');
      await done();
    },
  });
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
              <LabeledSwitch label="Accept events" checked={source.enabled} onChange={toggle.ask} />
              <MoreMenu actions={[{ label: 'Delete source', danger: true, run: () => remove.ask() }]} />
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

/** The write key. No answer contains it until the user asks for it. */
export function WriteKey({ source }: { source: Source }) {
  const { mayAsk, shown, error, ask, filledIn } = useWriteKey(source);
  return (
    <Panel title="Write key">
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 truncate font-mono text-[12.5px]">{shown ?? '••••••••••••'}</code>
        {mayAsk && shown === undefined && (
          <Button size="sm" look="quiet" aria-label="Show the write key" onClick={ask}>
            <Eye size={14} aria-hidden /> Show
          </Button>
        )}
        {mayAsk && <Copy text={() => filledIn(HIDDEN_KEY)} />}
      </div>
      {error && (
        <p role="alert" className="mt-1 text-bad">
          {sentenceOf(error)}
        </p>
      )}
      <p className="mt-1 text-[12.5px] text-muted">
        {mayAsk
          ? 'The key can only send events, so it is safe in a page. Copied snippets contain it.'
          : 'Only people who can change sources see it.'}
      </p>
    </Panel>
  );
}
