import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client.js';
import {
  type History as HistoryOf,
  type LibraryRevision,
  libraryRevisionsQuery,
  REVISIONS_STEP,
} from '../../api/code.js';
import { isUnknown } from '../../api/errors.js';
import { useCan } from '../../api/session.js';
import { Missing } from '../../components/missing.js';
import { Page } from '../../components/page.js';
import { Loaded } from '../../components/panel.js';
import { Badge } from '../../components/ui/badge.js';
import { Counted } from '../../components/ui/counted.js';
import { TabPanel, Tabs } from '../../components/ui/tabs.js';
import { plural } from '../../lib/format.js';
import { runDependents } from './code-tests.js';
import { Evidence } from './evidence.js';
import { History } from './history.js';
import { LibraryEditor } from './library-editor.js';
import { PublishForm } from './publish-form.js';

const route = getRouteApi('/libraries/$id');
const PARENT = { label: 'Code', to: '/code' } as const;

export function LibraryPage() {
  const { id } = route.useParams();
  if (id === 'new') {
    return (
      <Page title="New library" parent={PARENT}>
        <LibraryEditor key="new" revision={undefined} etag={undefined} onPublish={() => undefined} />
      </Page>
    );
  }
  return <Known key={id} id={id} />;
}

function Known({ id }: { id: string }) {
  const [count, setCount] = useState(REVISIONS_STEP);
  const revisions = useQuery({ ...libraryRevisionsQuery(id, count), placeholderData: keepPreviousData });
  const missing = <Missing title="There is no such library" all={{ label: 'All code', to: '/code' }} />;
  if (isUnknown(revisions.error)) return missing;
  return (
    <Loaded query={revisions} what="The library">
      {(all) => {
        const [newest] = all.revisions;
        if (!newest) return missing;
        return <One {...{ newest, ...all }} onMore={all.isMore ? () => setCount(count + REVISIONS_STEP) : undefined} />;
      }}
    </Loaded>
  );
}

interface OneProps extends HistoryOf<LibraryRevision> {
  newest: LibraryRevision;
  onMore: (() => void) | undefined;
}

function One({ newest, revisions, isMore, liveId, etag, onMore }: OneProps) {
  const { tab = 'edit', version, dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const canWrite = useCan('transformations', 'write');
  const live = liveId !== undefined;
  const show = (search: { tab?: string; version?: string; dialog?: 'publish' }) =>
    void navigate({ search, replace: search.dialog === undefined });
  // An earlier revision goes live by a publish, with the same evidence as a new one.
  const chosen = revisions.find(({ versionId }) => versionId === version) ?? newest;
  return (
    <Page
      title={newest.name}
      parent={PARENT}
      badge={
        <>
          <Badge tone={live ? 'good' : 'neutral'}>{live ? 'live' : 'draft'}</Badge>
          {live && liveId !== newest.versionId && <Badge tone="warn">newer draft</Badge>}
        </>
      }
      lead={<code className="font-mono text-[12.5px]">{`import { … } from '${newest.importName}'`}</code>}
    >
      <Tabs
        label="About this library"
        value={tab}
        onChange={(next) => show({ tab: next })}
        tabs={[
          { value: 'edit', label: 'Edit' },
          { value: 'history', label: <Counted name="History" of={revisions.length} isMore={isMore} /> },
        ]}
      >
        <TabPanel value="edit">
          <LibraryEditor key={newest.id} revision={newest} etag={etag} onPublish={() => show({ dialog: 'publish' })} />
        </TabPanel>
        <TabPanel value="history">
          <History
            revisions={revisions}
            liveId={liveId}
            onMore={onMore}
            chosenId={chosen.versionId}
            onChoose={(next) => show({ tab, version: next })}
            back={
              canWrite && live
                ? {
                    opens: true,
                    isPending: false,
                    run: (next) => show({ tab, version: next, dialog: 'publish' }),
                  }
                : undefined
            }
          />
        </TabPanel>
      </Tabs>
      {dialog === 'publish' && canWrite && !chosen.isPublished && (
        <PublishLibrary versionId={chosen.versionId} onClose={() => show({ tab, ...(version ? { version } : {}) })} />
      )}
    </Page>
  );
}

/** Publishes a library after its blast radius was shown: all live code that runs it, and which of its sampled events change. */
export function PublishLibrary({ versionId, onClose }: { versionId: string; onClose: () => void }) {
  const evidence = useQuery({ queryKey: ['blast radius', versionId], queryFn: () => runDependents(versionId) });
  const publish = (commit: { commitId?: string }) =>
    answer(api.POST('/transformations/libraries/publish', { body: { libraries: [versionId], ...commit } }));
  return (
    <PublishForm
      title="Publish this library"
      description="Code that imports it runs this revision at once."
      done="Published. Code that imports it runs it within a second."
      {...{ versionId, publish, onClose }}
    >
      <Loaded query={evidence} what="The evidence">
        {(report) => (
          <>
            <p>
              {report.validationOutput.transformations.length === 0
                ? 'No live code imports it, so no events change.'
                : `Affects ${plural(report.validationOutput.transformations.length, 'live transformation')}.`}
            </p>
            <Evidence report={report} isNamed />
          </>
        )}
      </Loaded>
    </PublishForm>
  );
}
