import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Rocket, Save } from 'lucide-react';
import { answer, api, ifMatch, sentenceOf } from '../../api/client.js';
import { type LibraryRevision, usagesQuery } from '../../api/code.js';
import { isUnknown } from '../../api/errors.js';
import { useCan } from '../../api/session.js';
import { ChangedElsewhere } from '../../components/changed-elsewhere.js';
import { CodeDiff, CodeEditor } from '../../components/editor/index.js';
import { NameLink } from '../../components/name-link.js';
import { Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Input } from '../../components/ui/field.js';
import { useDraft } from '../../components/use-draft.js';

const FIRST_CODE = `export function mask(text) {
  return typeof text === 'string' ? '***' : text;
}
`;

interface LibraryEditorProps {
  /** The newest revision. Undefined for a new library. */
  revision: LibraryRevision | undefined;
  etag: string | undefined;
  onPublish: () => void;
}

/** The code of a library, beside the live code that runs it. */
export function LibraryEditor({ revision, etag, onPublish }: LibraryEditorProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan('transformations', 'write');
  const draft = useDraft(`library ${revision?.id ?? 'new'}`, {
    value: { name: revision?.name ?? '', code: revision?.code ?? FIRST_CODE },
    etag,
  });
  const { value: typed, theirs, change } = draft;
  const isChanged = !revision || draft.isChanged;
  const mutationKey = ['save library', revision?.id];
  const save = useMutation({
    mutationKey,
    mutationFn: async () => {
      if (!revision) return { sent: typed, saved: await answer(api.POST('/libraries', { body: typed })) };
      const params = { path: { id: revision.id }, header: ifMatch(draft.etag) };
      return { sent: typed, saved: await answer(api.POST('/libraries/{id}', { params, body: { code: typed.code } })) };
    },
    onSuccess: () => tellDone('Saved as a draft. Publish it to go live.'),
    // after a refusal too: it may tell of a revision that this page has not seen
    onSettled: async (done) => {
      await client.invalidateQueries();
      if (done && !revision) await navigate({ to: '/libraries/$id', params: { id: done.saved.id }, replace: true });
      if (done) draft.saved(done.sent);
    },
  });
  const maySave = canWrite && typed.name !== '' && isChanged && !save.isPending;
  // asked of the client, because a second key may come before the page knows of the first
  const trySave = () => maySave && client.isMutating({ mutationKey }) === 0 && save.mutate();
  return (
    <div className="flex flex-col gap-4">
      <ChangedElsewhere draft={draft} by={revision?.createdBy}>
        {theirs && <CodeDiff key={theirs.code} before={theirs.code} after={typed.code} labels={['Theirs', 'Yours']} />}
      </ChangedElsewhere>
      {save.isError && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 whitespace-pre-wrap text-bad">
          <Text value={sentenceOf(save.error)} max={800} />
        </p>
      )}
      <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
        <section aria-label="Code" className="flex h-[68vh] flex-col overflow-hidden rounded-xl border bg-surface">
          <div className="flex items-center gap-2 border-b p-2">
            <Input
              aria-label="Name"
              placeholder="Name of this library"
              disabled={!canWrite || revision !== undefined}
              value={typed.name}
              onChange={({ target }) => change({ ...typed, name: target.value })}
            />
            {canWrite && (
              <>
                <Button disabled={!maySave} onClick={trySave} title="Ctrl S or ⌘S">
                  <Save size={13} aria-hidden /> Save
                </Button>
                <Button look="primary" disabled={isChanged || revision.isPublished} onClick={onPublish}>
                  <Rocket size={13} aria-hidden /> {revision?.isPublished && !isChanged ? 'Live' : 'Publish …'}
                </Button>
              </>
            )}
          </div>
          <CodeEditor
            label="JavaScript of this library"
            value={typed.code}
            onChange={(code) => change({ ...typed, code })}
            onSave={trySave}
            marks={[]}
            isReadOnly={!canWrite}
          />
        </section>
        {revision && <Users id={revision.id} />}
      </div>
    </div>
  );
}

/** Live code that runs the library. A draft that was never live has none. */
function Users({ id }: { id: string }) {
  const usages = useQuery(usagesQuery(id));
  const isNew = isUnknown(usages.error);
  const rows = usages.data?.usages ?? [];
  return (
    <Panel title="Used by" flush className="self-start">
      {rows.length === 0 && (isNew || usages.isSuccess) && (
        <p className="px-4 py-3.5 text-muted">No live code imports it.</p>
      )}
      <ul>
        {rows.map((one) => (
          <li key={one.id} className="flex items-center gap-2 border-b px-4 py-2 last:border-b-0">
            <span className="min-w-0 flex-1 truncate">
              <NameLink
                to={one.kind === 'library' ? '/libraries/$id' : '/code/$id'}
                params={{ id: one.id }}
                name={one.name}
              />
            </span>
            <span className="text-[12.5px] text-muted">{one.direct ? one.kind : 'via another library'}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
