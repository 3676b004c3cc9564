import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Play, Rocket, Waypoints } from 'lucide-react';
import { useMemo } from 'react';
import { answer, api, ifMatch, sentenceOf } from '../../api/client.js';
import { librariesQuery, type Revision, savedTestsQuery } from '../../api/code.js';
import { modelsQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { ChangedElsewhere } from '../../components/changed-elsewhere.js';
import { CodeDiff, CodeEditor } from '../../components/editor/index.js';
import { tellDone, tellError } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Input } from '../../components/ui/field.js';
import { Scroll } from '../../components/ui/scroll.js';
import { useDraft } from '../../components/use-draft.js';
import { fieldsOf, marksOf, outputOf, type Report, runTests, samplesQuery, testableIn } from './code-tests.js';
import { importedIn, LibraryCode, LibraryTabs } from './library-tabs.js';
import { PublishDialog } from './publish-dialog.js';
import { idOf, SaveTest } from './save-test.js';
import { SavedTests } from './saved-tests.js';
import { nameOf, TestReport } from './test-report.js';

const route = getRouteApi('/code/$id');
const FIRST_CODE = `// Runs for each event on its way to a destination.
// Return the event, return a list of events, or return nothing to drop it.
export function transformEvent(event, metadata) {
  return event;
}
`;

interface EditorPaneProps {
  /** The newest revision. Undefined for new code. */
  revision: Revision | undefined;
  liveId: string | undefined;
  etag: string | undefined;
}

/** The code at the left, and at the right what it makes of real events. Each save runs it on the server. */
export function EditorPane({ revision, liveId, etag }: EditorPaneProps) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { dialog, event: eventId, library: libraryId } = route.useSearch();
  const canWrite = useCan('transformations', 'write');
  const canLink = useCan('inventory', 'write');
  const [readsSchemas, seesSamples] = [useCan('schemas', 'read'), useCan('schemas', 'samples')];
  const draft = useDraft(`code ${revision?.id ?? 'new'}`, {
    value: { name: revision?.name ?? '', code: revision?.code ?? FIRST_CODE },
    etag,
  });
  const { value: typed, theirs, change } = draft;
  const models = useQuery({ ...modelsQuery, enabled: readsSchemas }).data;
  const samples = useQuery({ ...samplesQuery(client), enabled: seesSamples }).data ?? [];
  // A test waits for the samples. Otherwise a quick click would test on no event and call that a success.
  const test = async (versionId: string) =>
    runTests(versionId, seesSamples ? await client.ensureQueryData(samplesQuery(client)).catch(() => []) : []);
  const fields = useMemo(() => fieldsOf(models ?? []), [models]);
  const libraries = useQuery(librariesQuery).data ?? [];
  const imported = importedIn(typed.code, libraries);
  const opened = imported.find(({ id }) => id === libraryId);
  const isChanged = !revision || draft.isChanged;

  const mutationKey = ['save code', revision?.id];
  const save = useMutation({
    mutationKey,
    mutationFn: async () => {
      const saved = revision && !isChanged ? revision : await store(revision?.id, typed, draft.etag);
      // a test that cannot run takes nothing back: the draft is stored
      const tested = await test(saved.versionId).then(
        (report) => ({ report }),
        (problem: unknown) => ({ problem }),
      );
      return { sent: typed, saved, ...tested };
    },
    onSuccess: (done) => {
      if ('report' in done) client.setQueryData(reportOf(done.saved.versionId), done.report);
      else tellError(done.problem);
      if (isChanged) tellDone('Saved as a draft. Publish it to go live.');
    },
    onError: tellError,
    // after a refusal too: it may tell of a revision that this page has not seen
    onSettled: async (done) => {
      await client.invalidateQueries({ queryKey: ['revisions'] });
      void client.invalidateQueries({ queryKey: ['transformations'] });
      if (done && !revision) await navigate({ to: '/code/$id', params: { id: done.saved.id }, replace: true });
      if (done) draft.saved(done.sent);
    },
  });
  const maySave = canWrite && typed.name !== '' && !save.isPending;
  // asked of the client, because a second key may come before the page knows of the first
  const trySave = () => maySave && client.isMutating({ mutationKey }) === 0 && save.mutate();
  // The first save opens the page of the new code, where its report is still wanted.
  const earlier = useQuery<Report>({ queryKey: reportOf(revision?.versionId ?? ''), queryFn: skipToken }).data;
  const problem = save.error ?? (save.data && 'problem' in save.data ? save.data.problem : undefined);
  const report = problem === undefined ? earlier?.validationOutput : outputOf(problem);
  const tested = report?.transformations[0];
  const kept = dialog === 'test' ? testableIn(tested, samples).find((event) => idOf(event) === eventId) : undefined;
  const showDialog = (next: { dialog?: 'publish' | 'test'; event?: string }) =>
    void navigate({ search: next, replace: next.dialog === undefined });
  const savedTests = useQuery({ ...savedTestsQuery(revision?.id ?? ''), enabled: revision !== undefined }).data ?? [];
  const testAgain = async () => {
    if (!revision) return;
    client.setQueryData(reportOf(revision.versionId), await test(revision.versionId));
  };
  const isLive = liveId !== undefined && revision?.versionId === liveId && !isChanged;

  return (
    <div className="space-y-4">
      <ChangedElsewhere draft={draft} by={revision?.createdBy}>
        {theirs && <CodeDiff key={theirs.code} before={theirs.code} after={typed.code} labels={['Theirs', 'Yours']} />}
      </ChangedElsewhere>
      <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <section
          aria-label="Code"
          className="flex h-[68vh] min-h-96 flex-col overflow-hidden rounded-xl border bg-surface"
        >
          <div className="flex flex-wrap items-center gap-2 border-b p-2">
            <Input
              aria-label="Name"
              placeholder="Name of this code"
              className="min-w-40 flex-1"
              disabled={!canWrite}
              value={typed.name}
              onChange={({ target }) => change({ ...typed, name: target.value })}
            />
            {canWrite && (
              <>
                <Button onClick={trySave} disabled={!maySave} title="Ctrl S or ⌘S">
                  <Play size={13} aria-hidden /> {isChanged ? 'Save and test' : 'Test'}
                </Button>
                {isLive && canLink && (
                  <Button onClick={() => showDialog({ dialog: 'publish' })}>
                    <Waypoints size={13} aria-hidden /> Destinations …
                  </Button>
                )}
                <Button
                  look="primary"
                  disabled={!revision || isChanged || isLive}
                  onClick={() => showDialog({ dialog: 'publish' })}
                >
                  <Rocket size={13} aria-hidden /> {isLive ? 'Live' : 'Publish …'}
                </Button>
              </>
            )}
          </div>
          {imported.length > 0 && (
            <LibraryTabs
              libraries={imported}
              chosenId={opened?.id}
              onChoose={(next) => void navigate({ search: next ? { library: next } : {}, replace: true })}
            />
          )}
          {opened && <LibraryCode library={opened} />}
          <div className={opened ? 'hidden' : 'min-h-0 flex-1'}>
            <CodeEditor
              label="JavaScript of this code"
              value={typed.code}
              onChange={(code) => change({ ...typed, code })}
              onSave={trySave}
              marks={marksOf(tested, typed.name)}
              fields={fields}
              libraries={libraries.map(({ importName }) => importName)}
              isReadOnly={!canWrite}
            />
          </div>
        </section>
        <Scroll label="Tests" className="h-[68vh] min-h-96 rounded-xl border bg-surface">
          <TestReport
            tested={tested}
            problem={problem !== undefined && !report ? sentenceOf(problem) : undefined}
            isRunning={save.isPending}
            samples={samples.length}
            saved={
              revision && (
                <SavedTests
                  id={revision.id}
                  results={tested?.testResult.results ?? []}
                  onChange={() => void testAgain().catch(tellError)}
                />
              )
            }
            isSaved={({ id }) => id !== undefined && savedTests.some((test) => test.id === id)}
            onKeep={
              canWrite && revision && !isChanged
                ? (event) => showDialog({ dialog: 'test', event: idOf(event) })
                : undefined
            }
          />
        </Scroll>
        {kept !== undefined && revision && (
          <SaveTest
            id={revision.id}
            versionId={revision.versionId}
            event={kept}
            name={nameOf(kept)}
            onSaved={() => void testAgain().catch(tellError)}
            onClose={() => showDialog({})}
          />
        )}
        {dialog === 'publish' && revision && !isChanged && (
          <PublishDialog revision={revision} isLive={isLive} events={samples} onClose={() => showDialog({})} />
        )}
      </div>
    </div>
  );
}

const reportOf = (versionId: string) => ['report', versionId];

async function store(id: string | undefined, body: { name: string; code: string }, etag: string | undefined) {
  if (id === undefined) return answer(api.POST('/transformations', { body }));
  return answer(api.POST('/transformations/{id}', { params: { path: { id }, header: ifMatch(etag) }, body }));
}
