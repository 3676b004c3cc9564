import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Revision, revisionsQuery } from '../../api/code.js';
import { isUnknown } from '../../api/errors.js';
import { useCan } from '../../api/session.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded } from '../../components/panel.js';
import { Badge } from '../../components/ui/badge.js';
import { Counted } from '../../components/ui/counted.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { AutoRollback } from './auto-rollback.js';
import { EditorPane } from './editor-pane.js';
import { History } from './history.js';
import { MoreActions } from './more-actions.js';
import { useRollback } from './rollback.js';

const route = getRouteApi('/code/$id');

export function TransformationPage() {
  const { id } = route.useParams();
  if (id === 'new') {
    return (
      <Page title="New code" parent={{ label: 'Code', to: '/code' }}>
        <EditorPane key="new" revision={undefined} live={undefined} />
      </Page>
    );
  }
  return <Known id={id} />;
}

function Known({ id }: { id: string }) {
  const revisions = useQuery(revisionsQuery(id));
  if (isUnknown(revisions.error)) {
    return <Missing title="There is no such code" all={{ label: 'All code', to: '/code' }} />;
  }
  return (
    <Loaded query={revisions} what="The code">
      {(all) => {
        const [newest] = all;
        return newest ? <One id={id} newest={newest} revisions={all} /> : <Empty title="This code has no revisions" />;
      }}
    </Loaded>
  );
}

function One({ id, newest, revisions }: { id: string; newest: Revision; revisions: readonly Revision[] }) {
  const { tab = 'edit', version } = route.useSearch();
  const navigate = route.useNavigate();
  const live = revisions.find(({ isPublished }) => isPublished);
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
          {live && live.versionId !== newest.versionId && <Badge tone="warn">newer draft</Badge>}
        </>
      }
      actions={<MoreActions id={id} isLive={live !== undefined} />}
    >
      <Tabs
        label="About this code"
        value={tab}
        onChange={(next) => navigate({ search: { tab: next } })}
        tabs={[
          { value: 'edit', label: 'Edit' },
          { value: 'history', label: <Counted name="History" of={revisions.length} /> },
          { value: 'safety', label: 'Automatic rollback' },
        ]}
      >
        <TabPanel value="edit">
          <EditorPane key={id} revision={newest} live={live} />
        </TabPanel>
        <TabPanel value="history">
          <History
            revisions={revisions}
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
