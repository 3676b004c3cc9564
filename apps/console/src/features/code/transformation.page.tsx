import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client.js';
import { type History as HistoryOf, REVISIONS_STEP, type Revision, revisionsQuery } from '../../api/code.js';
import { isUnknown } from '../../api/errors.js';
import { useCan } from '../../api/session.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded } from '../../components/panel.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Counted } from '../../components/ui/counted.js';
import { MoreMenu } from '../../components/ui/menu.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { useAsked } from '../../components/use-asked.js';
import { AutoRollback } from './auto-rollback.js';
import { EditorPane } from './editor-pane.js';
import { History } from './history.js';

const route = getRouteApi('/code/$id');

export function TransformationPage() {
  const { id } = route.useParams();
  if (id === 'new') {
    return (
      <Page title="New code" parent={{ label: 'Code', to: '/code' }}>
        <EditorPane key="new" revision={undefined} liveId={undefined} etag={undefined} />
      </Page>
    );
  }
  return <Known key={id} id={id} />;
}

function Known({ id }: { id: string }) {
  const [count, setCount] = useState(REVISIONS_STEP);
  const revisions = useQuery({ ...revisionsQuery(id, count), placeholderData: keepPreviousData });
  if (isUnknown(revisions.error)) {
    return <Missing title="There is no such code" all={{ label: 'All code', to: '/code' }} />;
  }
  return (
    <Loaded query={revisions} what="The code">
      {(all) => {
        const [newest] = all.revisions;
        if (!newest) return <Empty title="This code has no revisions" />;
        return (
          <One {...{ id, newest, ...all }} onMore={all.isMore ? () => setCount(count + REVISIONS_STEP) : undefined} />
        );
      }}
    </Loaded>
  );
}

interface OneProps extends HistoryOf<Revision> {
  id: string;
  newest: Revision;
  onMore: (() => void) | undefined;
}

function One({ id, newest, revisions, isMore, liveId, etag, onMore }: OneProps) {
  const { tab = 'edit', version } = route.useSearch();
  const navigate = route.useNavigate();
  const live = liveId !== undefined;
  const rollback = useRollback(id);
  const back =
    useCan('transformations', 'write') && live
      ? { opens: false, isPending: rollback.isPending, run: rollback.ask }
      : undefined;
  return (
    <Page
      title={newest.name}
      parent={{ label: 'Code', to: '/code' }}
      badge={
        <>
          <Badge tone={live ? 'good' : 'neutral'}>{live ? 'live' : 'draft'}</Badge>
          {live && liveId !== newest.versionId && <Badge tone="warn">newer draft</Badge>}
        </>
      }
      actions={<MoreActions id={id} isLive={live} />}
    >
      <Tabs
        label="About this code"
        value={tab}
        onChange={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { value: 'edit', label: 'Edit' },
          { value: 'history', label: <Counted name="History" of={revisions.length} isMore={isMore} /> },
          { value: 'safety', label: 'Automatic rollback' },
        ]}
      >
        <TabPanel value="edit">
          <EditorPane key={id} revision={newest} liveId={liveId} etag={etag} />
        </TabPanel>
        <TabPanel value="history">
          <History
            revisions={revisions}
            liveId={liveId}
            onMore={onMore}
            back={back}
            chosenId={version ?? newest.versionId}
            onChoose={(next) => navigate({ search: { tab, version: next }, replace: true })}
          />
        </TabPanel>
        <TabPanel value="safety">
          <AutoRollback id={id} />
        </TabPanel>
      </Tabs>
    </Page>
  );
}

/** Rare actions on code. */
export function MoreActions({ id, isLive }: { id: string; isLive: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan('transformations', 'write');
  const remove = useAsked({
    question: () => ({
      title: 'Delete this code?',
      text: isLive ? 'Events to its destinations then pass unchanged.' : 'It is not live, so no events change.',
      action: 'Delete',
      ...(isLive ? { typed: 'delete' } : {}),
    }),
    send: () =>
      answer(
        api.DELETE('/transformations/{id}', {
          params: { path: { id }, query: { status: isLive ? 'published' : 'draft' } },
        }),
      ),
    done: async () => {
      await navigate({ to: '/code' });
      tellDone('Code deleted. Its revisions are kept.');
      await client.invalidateQueries();
    },
  });
  if (!canWrite) return null;
  return <MoreMenu actions={[{ label: 'Delete code', danger: true, run: () => remove.ask() }]} />;
}

/** Makes another revision of a transformation live, after a question. */
export function useRollback(id: string) {
  const client = useQueryClient();
  return useAsked({
    question: (_: string) => ({
      title: 'Make this revision live?',
      text: 'Its tests must pass first. The current live revision stays in this list.',
      action: 'Make live',
      keep: 'Cancel',
    }),
    send: (versionId) =>
      answer(api.POST('/transformations/{id}/rollback', { params: { path: { id } }, body: { versionId } })),
    done: () => {
      tellDone('The revision is live.');
      void client.invalidateQueries();
    },
  });
}
